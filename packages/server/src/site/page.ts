// Shared by all HTML pages: the frame, the icon, and headers that let a page load nothing but its own parts.
import type { FastifyReply } from 'fastify';

export const htmlType = 'text/html; charset=utf-8';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => escapes[letter]!);

/** The colours of every page. */
export const palette = `
:root { color-scheme: light dark; --back: #fdfcf9; --text: #1d2522; --soft: #55605b; --line: #d9d8d0; --panel: #f2f0e9; --link: #17604a; }
@media (prefers-color-scheme: dark) {
  :root { --back: #141816; --text: #e6e9e6; --soft: #a7b1ab; --line: #343c38; --panel: #1d2320; --link: #7fd0b3; }
}
`;

/** Without an icon in the page, a browser requests /favicon.ico. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23205f4b'/%3E%3Cpath d='M3 13V7l5-4 5 4v6h-3V9H6v4z' fill='%23fff'/%3E%3C/svg%3E";

export const pageOf = ({ title, head, body }: { title: string; head: string; body: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
${head}
</head>
<body>
${body}
</body>
</html>
`;

/** `allowed`: what a page may load, by directive. The browser blocks everything else. */
export const pageHeaders = (reply: FastifyReply, allowed: Readonly<Record<string, string>>): void => {
  const policy = {
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...allowed,
  };
  reply.header(
    'content-security-policy',
    Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
  );
  reply.header('referrer-policy', 'no-referrer');
};
