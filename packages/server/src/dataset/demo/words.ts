// The vocabulary of the demo worlds: pools drawn once from a seeded faker, so that millions of records cost little.
import { base, en, Faker } from '@faker-js/faker';

export interface Words {
  firstNames: string[];
  lastNames: string[];
  nouns: string[];
  adjectives: string[];
  verbs: string[];
  sentences: string[];
  paragraphs: string[];
  companies: string[];
}

export const wordsOf = (seed: number): Words => {
  const faker = new Faker({ locale: [en, base], seed });
  const pool = (size: number, make: () => string): string[] => Array.from({ length: size }, make);
  const plain = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '') || 'thing';
  return {
    firstNames: pool(400, () => faker.person.firstName()),
    lastNames: pool(600, () => faker.person.lastName()),
    nouns: pool(400, () => plain(faker.word.noun())),
    adjectives: pool(300, () => plain(faker.word.adjective())),
    verbs: pool(200, () => plain(faker.word.verb())),
    sentences: pool(500, () => faker.lorem.sentence({ min: 4, max: 12 })),
    paragraphs: pool(200, () => faker.lorem.paragraphs({ min: 1, max: 3 }, '\n\n')),
    companies: pool(300, () => faker.company.name()),
  };
};
