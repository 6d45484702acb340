// Fastify and Prisma 7, with the query compiler and the pg adapter: no binary engine.
import type { Peer } from './peer.ts';
import { agentFields, connections, installInto, rest, run, startServer, userFields } from './peer.ts';

const schema = `generator client {
  provider               = "prisma-client"
  output                 = "./generated"
  engineType             = "client"
  runtime                = "nodejs"
  moduleFormat           = "esm"
  generatedFileExtension = "ts"
  importFileExtension    = "ts"
  compilerBuild          = "fast"
  previewFeatures        = ["relationJoins"]
}

datasource db {
  provider = "postgresql"
}

model User {
  id          String             @id
  username    String             @unique
  displayName String             @map("display_name")
  avatar      Json?
  bio         String?
  status      String
  tags        Json
  agents      Agent[]
  holdings    CollectionHolder[]

  @@map("users")
}

model Agent {
  id             String    @id
  name           String    @unique
  displayName    String    @map("display_name")
  agentId        String?   @map("agent_id")
  bio            String
  avatar         Json?
  websiteUrl     String?   @map("website_url")
  services       Json
  active         Boolean
  x402Support    Boolean   @map("x402_support")
  supportedTrust Json      @map("supported_trust")
  registrations  Json
  socialAccounts Json      @map("social_accounts")
  version        String?
  category       String?
  tags           Json
  status         String
  lastSeenAt     DateTime? @map("last_seen_at") @db.Timestamptz(3)
  ownerId        String    @map("owner_id")
  createdAt      DateTime  @map("created_at") @db.Timestamptz(3)
  updatedAt      DateTime  @map("updated_at") @db.Timestamptz(3)
  publishedAt    DateTime  @map("published_at") @db.Timestamptz(3)
  owner          User      @relation(fields: [ownerId], references: [id])

  @@map("agents")
}

model Collection {
  address String             @id
  holders CollectionHolder[]

  @@map("collections")
}

model CollectionHolder {
  collectionAddress String     @map("collection_address")
  userId            String     @map("user_id")
  acquiredAt        DateTime   @map("acquired_at") @db.Timestamptz(3)
  collection        Collection @relation(fields: [collectionAddress], references: [address])
  user              User       @relation(fields: [userId], references: [id])

  @@id([userId, collectionAddress])
  @@index([collectionAddress, acquiredAt, userId])
  @@map("collection_holders")
}
`;

const config = `export default { schema: './schema.prisma' };
`;

const chosen = (fields: string[]): string => `{ ${fields.map((field) => `${field}: true`).join(', ')} }`;

const server = `import { PrismaPg } from '@prisma/adapter-pg';
import Fastify from 'fastify';
import { PrismaClient } from './generated/client.ts';

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, max: ${connections} });
const prisma = new PrismaClient({ adapter, log: [] });

const user = ${chosen(userFields)};
const agent = ${chosen(agentFields)};
const relationLoadStrategy = 'join'; // one statement with its relations; the default sends one per table

const app = Fastify({ logger: false });

app.get('/agents/:name', async (request, reply) => {
  const found = await prisma.agent.findUnique({
    relationLoadStrategy,
    where: { name: request.params.name },
    select: { ...agent, owner: { select: user } },
  });
  return found ?? reply.code(404).send({ error: 'not found' });
});

app.get('/collections/:address/holders', async (request) => {
  const where = { collectionAddress: request.params.address };
  const [total, rows] = await Promise.all([
    prisma.collectionHolder.count({ where }),
    prisma.collectionHolder.findMany({
      relationLoadStrategy,
      where,
      orderBy: [{ acquiredAt: 'asc' }, { userId: 'asc' }],
      take: 20,
      select: { user: { select: user } },
    }),
  ]);
  return { total, items: rows.map((row) => row.user) };
});

await prisma.$connect();
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
`;

// The command would first download the schema engine, which generating does not use. Naming any program in its place
// avoids the download.
const generate = (folder: string): void =>
  run(folder, process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--no-hints'], {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  });

export const prisma: Peer = {
  name: 'Fastify 5.12.8 + Prisma 7.10.0',
  install: (folder) =>
    installInto(
      folder,
      { '@prisma/adapter-pg': '7.10.0', '@prisma/client': '7.10.0', fastify: '5.12.8', prisma: '7.10.0' },
      { 'schema.prisma': schema, 'prisma.config.js': config, 'server.js': server },
      () => generate(folder),
    ),
  start: startServer,
  ...rest,
};
