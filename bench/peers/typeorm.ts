// NestJS 11 on Fastify, with TypeORM repositories. Plain JavaScript has no decorator syntax, so the decorators are
// called as functions, like the compiler would do.
import type { Peer } from './peer.ts';
import { connections, installInto, rest, startServer } from './peer.ts';

const entities = `import { EntitySchema } from 'typeorm';

const text = (name, more) => ({ type: 'text', name, ...more });
const json = (name, more) => ({ type: 'jsonb', name, ...more });
const instant = (name, more) => ({ type: 'timestamptz', precision: 3, name, ...more });
const nullable = { nullable: true };

export const User = new EntitySchema({
  name: 'User',
  tableName: 'users',
  columns: {
    id: text('id', { primary: true }),
    username: text('username', { unique: true }),
    displayName: text('display_name'),
    avatar: json('avatar', nullable),
    bio: text('bio', nullable),
    status: text('status'),
    tags: json('tags'),
  },
});

export const Agent = new EntitySchema({
  name: 'Agent',
  tableName: 'agents',
  columns: {
    id: text('id', { primary: true }),
    name: text('name', { unique: true }),
    displayName: text('display_name'),
    agentId: text('agent_id', nullable),
    bio: text('bio'),
    avatar: json('avatar', nullable),
    websiteUrl: text('website_url', nullable),
    services: json('services'),
    active: { type: 'boolean' },
    x402Support: { type: 'boolean', name: 'x402_support' },
    supportedTrust: json('supported_trust'),
    registrations: json('registrations'),
    socialAccounts: json('social_accounts'),
    version: text('version', nullable),
    category: text('category', nullable),
    tags: json('tags'),
    status: text('status'),
    lastSeenAt: instant('last_seen_at', nullable),
    createdAt: instant('created_at'),
    updatedAt: instant('updated_at'),
    publishedAt: instant('published_at'),
  },
  relations: { owner: { type: 'many-to-one', target: 'User', joinColumn: { name: 'owner_id' }, nullable: false } },
});

export const CollectionHolder = new EntitySchema({
  name: 'CollectionHolder',
  tableName: 'collection_holders',
  columns: {
    userId: text('user_id', { primary: true }),
    collectionAddress: text('collection_address', { primary: true }),
    acquiredAt: instant('acquired_at'),
  },
  relations: { user: { type: 'many-to-one', target: 'User', joinColumn: { name: 'user_id' }, nullable: false } },
});
`;

const server = `import 'reflect-metadata';
import { Controller, Get, Module, NotFoundException, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Agent, CollectionHolder, User } from './entities.js';

class PublicController {
  constructor(agents, holders) {
    this.agents = agents;
    this.holders = holders;
  }

  async agent(name) {
    // findOne would send two statements: one for the distinct ids of the joined rows, one for the rows.
    const [found] = await this.agents.find({ where: { name }, relations: { owner: true } });
    if (found === undefined) throw new NotFoundException();
    return found;
  }

  // The default strategy, join, computes page and total by DISTINCT over all holders, which is many times slower.
  async holdersOf(collectionAddress) {
    const [rows, total] = await this.holders.findAndCount({
      where: { collectionAddress },
      relations: { user: true },
      order: { acquiredAt: 'ASC', userId: 'ASC' },
      take: 20,
      relationLoadStrategy: 'query',
    });
    return { total, items: rows.map((row) => row.user) };
  }
}
InjectRepository(Agent)(PublicController, undefined, 0);
InjectRepository(CollectionHolder)(PublicController, undefined, 1);
const route = (path, method, parameter) => {
  Param(parameter)(PublicController.prototype, method, 0);
  Get(path)(PublicController.prototype, method, Object.getOwnPropertyDescriptor(PublicController.prototype, method));
};
route('agents/:name', 'agent', 'name');
route('collections/:address/holders', 'holdersOf', 'address');
Controller()(PublicController);

class AppModule {}
Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      entities: [Agent, CollectionHolder, User],
      synchronize: false,
      logging: false,
      installExtensions: false,
      poolSize: ${connections},
    }),
    TypeOrmModule.forFeature([Agent, CollectionHolder, User]),
  ],
  controllers: [PublicController],
})(AppModule);

const adapter = new FastifyAdapter({ logger: false });
const app = await NestFactory.create(AppModule, adapter, { logger: false, abortOnError: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
`;

const dependencies = {
  '@nestjs/common': '11.2.9',
  '@nestjs/core': '11.2.9',
  '@nestjs/platform-fastify': '11.2.8',
  '@nestjs/typeorm': '11.0.3',
  pg: '8.23.1',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
  typeorm: '1.1.1',
};

export const typeorm: Peer = {
  name: 'NestJS 11.2.9 + TypeORM 1.1.1',
  install: (folder) => installInto(folder, dependencies, { 'entities.js': entities, 'server.js': server }),
  start: startServer,
  ...rest,
};
