// Prints the result of an operation: as a table on a terminal, otherwise as JSON, or in the format of the options.
import { unprintable } from '@commonhall/contract/printable';
import { chartsOf, isCounts } from './chart.ts';
import { askedColumns } from './columns.ts';
import { UsageError } from './failures.ts';
import { linesOf, number, tableOf } from './text.ts';

export type Format = 'text' | 'json' | 'ndjson';
type Row = Record<string, unknown>;
export interface AnyPage {
  items: Row[];
  total: number;
  hasMore: boolean;
  page?: number;
  totalPages?: number;
}

export const formatOf = ({ json, ndjson }: { json?: boolean; ndjson?: boolean }): Format => {
  if (json && ndjson) throw new UsageError('--json and --ndjson exclude each other');
  if (json || ndjson) return json ? 'json' : 'ndjson';
  return process.stdout.isTTY ? 'text' : 'json';
};

/** Applies backpressure: with a slow reader, a long list does not pile up in memory. */
const write = async (text: string): Promise<void> => {
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve));
};
const say = (line: string): void => void process.stderr.write(`${line}\n`);
/** On a terminal, control characters become JSON escapes, so that the data cannot control the terminal. */
const json = (value: unknown, indent?: number): string => {
  const text = JSON.stringify(value, null, indent);
  if (!process.stdout.isTTY) return text;
  const escaped = (character: string) =>
    character
      .split('') // by UTF-16 code units, like JSON escapes
      .map((unit) => (unit === '\n' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
      .join('');
  return text.replace(unprintable, escaped);
};

/** The columns of tables: those that were asked for, or the usual ones of the list; null: those that fit. */
export interface Columns {
  asked: string | null;
  usual: readonly string[] | null;
}
const table = (rows: readonly Row[], { asked, usual }: Columns) =>
  tableOf(rows, process.stdout.columns || 80, asked === null ? usual : askedColumns(asked, rows), asked !== null);
/** Names the columns that a table leaves out. */
const sayLeft = (left: readonly string[]): void => {
  if (left.length > 0) say(`Not shown: ${left.join(', ')} (--columns chooses, --json shows everything)`);
};

const isPage = (data: unknown): data is AnyPage => Array.isArray((data as AnyPage | null)?.items);

export const print = async (data: unknown, format: Format, columns: Columns): Promise<void> => {
  const rows = isPage(data) ? data.items : Array.isArray(data) ? (data as Row[]) : null;
  if (format === 'json') return write(`${json(data, 2)}\n`);
  if (format === 'ndjson') return write((rows ?? [data]).map((row) => `${json(row)}\n`).join(''));
  if (rows === null) {
    const lines = isCounts(data) ? chartsOf(data, process.stdout.columns || 80) : linesOf(data);
    return write(`${lines.join('\n')}\n`);
  }
  const { header, line, left } = table(rows, columns);
  if (rows.length > 0) await write(`${[header, ...rows.map(line)].join('\n')}\n`);
  sayLeft(left);
  if (!isPage(data)) return say(`${number(rows.length)} in all`);
  const where = data.page === undefined ? '' : `page ${number(data.page)} of ${number(data.totalPages ?? 0)}, `;
  say(`${where}${number(data.total)} in all${data.hasMore ? '; --all reads the rest' : ''}`);
};

/** A progress bar on a terminal. */
const progress = (isShown: boolean) => {
  const width = 30;
  return {
    at: (read: number, total: number) => {
      if (!isShown) return;
      const done = total === 0 ? width : Math.min(width, Math.floor((read / total) * width));
      process.stderr.write(
        `\r\x1b[K[${'#'.repeat(done)}${'.'.repeat(width - done)}] ${number(read)} of ${number(total)}`,
      );
    },
    end: () => void (isShown && process.stderr.write('\r\x1b[K')),
  };
};

/** Prints every page of a list as it arrives. */
export const printAll = async (pages: AsyncIterable<AnyPage>, format: Format, columns: Columns): Promise<void> => {
  // The bar would garble a table on the same terminal.
  const bar = progress(process.stderr.isTTY === true && !(format === 'text' && process.stdout.isTTY));
  let shown: ReturnType<typeof table> | undefined;
  let [read, total] = [0, 0];
  try {
    for await (const { items, total: now } of pages) {
      if (format === 'text' && shown === undefined && items.length > 0) {
        shown = table(items, columns);
        await write(`${shown.header}\n`);
      }
      const texts = items.map((item, index) => {
        if (format === 'text') return `${shown!.line(item)}\n`;
        if (format === 'ndjson') return `${json(item)}\n`;
        return `${read + index === 0 ? '[\n' : ',\n'}  ${json(item)}`;
      });
      await write(texts.join(''));
      read += items.length;
      total = now;
      bar.at(read, total);
    }
  } finally {
    bar.end();
  }
  if (format === 'json') await write(read === 0 ? '[]\n' : '\n]\n');
  if (format === 'text') {
    sayLeft(shown?.left ?? []);
    say(`${number(read)} in all`);
  }
  if (read !== total)
    say(`The list changed while it was read: ${number(read)} items were read, its total is ${number(total)}.`);
};
