// commonhall outbox <table>[=<own table>]…: prints the SQL for a platform to be followed.
import { changeTables } from '../feed/change.ts';
import { outboxSql } from '../feed/outbox-sql.ts';

const names = changeTables.map(({ name }) => name);
const identifier = '([a-z_][a-z0-9_$]*|"[^"]+")';
const isTable = new RegExp(`^(${identifier}\\.)?${identifier}$`);

export const printOutbox = (words: readonly string[], hasOutbox: boolean, print: (line: string) => void): void => {
  if (words.length === 0) throw new Error(`name the tables that the platform has data for, of: ${names.join(', ')}`);
  const followed = words.map((word, n) => {
    const [name = '', own = name] = word.split('=');
    const table = changeTables.find((each) => each.name === name);
    if (table === undefined) throw new Error(`there is no table "${name}"; there are: ${names.join(', ')}`);
    if (!isTable.test(own))
      throw new Error(`${word}: after the = comes a table of yours, like tasks, app.tasks or app."Tasks"`);
    if (words.slice(0, n).some((earlier) => earlier.split('=')[0] === name))
      throw new Error(`${name} is named twice; one view can join two tables of yours by UNION ALL`);
    return { table, own };
  });
  for (const line of outboxSql(followed, hasOutbox).split('\n')) print(line);
};
