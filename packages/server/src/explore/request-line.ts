// The request line of a page: what it asked the API, as JSON, curl, TypeScript and command line.
import { sitePaths } from '@commonhall/contract/site';
import type { Call } from './calls.ts';
import type { Html } from './html.ts';
import { html, joined } from './html.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const kebab = (text: string): string => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const inShell = (value: string): string => (/^[\w.,:/@%+-]+$/.test(value) ? value : quoted(value));

const given = ({ args }: Call) => Object.entries(args).filter(([, value]) => value !== undefined);
const typeScript = (call: Call): string => {
  const args = given(call).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? JSON.stringify(value).replace(/^"|"$/g, "'") : value}`,
  );
  return `await hall.${call.operation.id}(${args.length === 0 ? '' : `{ ${args.join(', ')} }`});`;
};
const commandLine = (call: Call): string => {
  const { operation } = call;
  const words = Object.keys(operation.params).map((key) => inShell(String(call.args[key])));
  const options = given(call)
    .filter(([key]) => key in operation.query)
    .map(([key, value]) => `--${kebab(key)} ${inShell(String(value))}`);
  return ['commonhall-api', kebab(operation.id), ...words, ...options].join(' ');
};

export const requestLine = (calls: readonly Call[], rootUrl: string, apiUrl: string): Html => {
  const [first] = calls;
  if (first === undefined) return html``;
  const count = calls.length === 1 ? '' : `${calls.length} requests: `;
  const links = calls.map(({ path }) => html`<a href="${apiUrl + path}"><code>${path}</code></a>`);
  const code = (lines: string[]) => html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`;
  return html`<details class="call"><summary><code><b>GET</b>${first.path}</code><span>${count}curl, TypeScript, command line</span></summary>
    <div>
<p>This page shows what the API answers. The same data as JSON: ${joined(links, ', ')}. <a href="${rootUrl}${sitePaths.reference}">Reference</a></p>
<p><b>curl</b></p>${code(calls.map(({ path }) => `curl ${quoted(apiUrl + path)}`))}
<p><b>TypeScript</b></p>${code([`import { createClient } from '@commonhall/client';`, `const hall = createClient({ baseUrl: ${quoted(apiUrl)} });`, ...calls.map(typeScript)])}
<p><b>Command line</b></p>${code([`export COMMONHALL_URL=${apiUrl}`, ...calls.map(commandLine)])}</div></details>`;
};
