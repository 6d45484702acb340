// npm run sample -- --out <folder>: writes sample data. The same arguments give the same bytes.
import { parseArgs } from 'node:util';
import { demoNow, demoPictures } from './cast.ts';
import type { ScaleName } from './scales.ts';
import { scales } from './scales.ts';
import type { WriteOptions } from './write.ts';
import { writeWorld } from './write.ts';

const usage = `npm run sample -- --out <folder> [options]

  --out <folder>    where to write the files
  --seed <number>   the seed of the random data, from 0 to 4294967295 (42)
  --scale <scale>   ${Object.keys(scales).join(', ')} (small)
  --now <time>      the current time of the data (${demoNow})
  --pictures <url>  the base URL of the pictures (${demoPictures})
  --gzip            compress the files`;

const isScale = (text: string): text is ScaleName => Object.hasOwn(scales, text);

/** The options, or all problems with the arguments. */
const read = (args: string[]): { out: string; options: WriteOptions } | { problems: string[] } => {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      seed: { type: 'string', default: '42' },
      scale: { type: 'string', default: 'small' },
      now: { type: 'string', default: demoNow },
      pictures: { type: 'string', default: demoPictures },
      gzip: { type: 'boolean', default: false },
    },
  });
  const { out = '', seed, scale, now, pictures, gzip } = values;
  const problems: string[] = [];
  if (out === '') problems.push('--out is missing; give the folder for the files');
  if (!/^\d{1,10}$/.test(seed) || Number(seed) >= 2 ** 32)
    problems.push(`--seed: "${seed}" is not a whole number from 0 to 4294967295`);
  if (!isScale(scale)) problems.push(`--scale: "${scale}" is not one of ${Object.keys(scales).join(', ')}`);
  // Date.parse reads February 31 as March 3.
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(now) && !Number.isNaN(Date.parse(now));
  if (!isInstant || !new Date(now).toISOString().startsWith(now.slice(0, 16)))
    problems.push(`--now: "${now}" is not a timestamp like ${demoNow}`);
  if (!/^https?:$/.test(URL.parse(pictures)?.protocol ?? '') || /[?#\s]/.test(pictures))
    problems.push(`--pictures: "${pictures}" is not a URL like ${demoPictures}`);
  if (problems.length > 0 || !isScale(scale)) return { problems };
  const moment = new Date(now).toISOString();
  return { out, options: { seed: Number(seed), scale, now: moment, pictures: pictures.replace(/\/+$/, ''), gzip } };
};

const fail = (problems: readonly string[]): void => {
  console.error([...problems, '', usage].join('\n'));
  process.exitCode = 1;
};

try {
  const given = read(process.argv.slice(2));
  if ('problems' in given) fail(given.problems);
  else await writeWorld(given.out, given.options, (line) => console.log(line));
} catch (error) {
  fail([error instanceof Error ? error.message : String(error)]);
}
