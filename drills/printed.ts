// Commands as the docs print them: a drill runs these, with the names of its own parts in place of the example's.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url);

/** What stands in the code blocks of a language under a heading. */
export const printedBlocks = (path: string, heading: string, language: string): string[] => {
  const section = readFileSync(new URL(path, root), 'utf8')
    .split(/^#{2,3} /m)
    .find((part) => part.startsWith(`${heading}\n`));
  const blocks = section?.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')) ?? [];
  const found = [...blocks].map(([, block = '']) => block.replace(/^ +/gm, ''));
  if (found.length === 0) throw new Error(`${path} has no ${language} under "${heading}"`);
  return found;
};

/** `commonhall` is the one of this checkout. */
export const withCommonhall = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: `${new URL('node_modules/.bin', root).pathname}:${env.PATH}`,
});

/** Runs commands in one environment; `export` holds for those that follow. Other work goes on meanwhile. */
export const openShell = (env: NodeJS.ProcessEnv) => {
  let exported = '';
  const withExports = (command: string) => `${exported}${command}`;
  return {
    withExports,
    run: async (command: string): Promise<string> => {
      if (command.startsWith('export ')) {
        exported += `${command}; `;
        return '';
      }
      try {
        const options = { env: withCommonhall(env), cwd: root.pathname, maxBuffer: 1e8 };
        return (await promisify(execFile)('sh', ['-c', withExports(command)], options)).stdout.trim();
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${command}: ${stdout}${stderr}`.slice(-3000));
      }
    },
  };
};
