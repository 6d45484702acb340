// Pictures of the sample data: one SVG per path, generated from the path alone. Colours and shapes follow from a hash
// of the name, letters from the name itself.

interface Palette {
  ground: string;
  soft: string;
  deep: string;
  accent: string;
}

const palettes: readonly Palette[] = [
  ['#f4e9d8', '#e3c9a0', '#3b4a54', '#c8643c'],
  ['#dcebe6', '#9cc9ba', '#1f4d45', '#e0a030'],
  ['#e4e6f5', '#aeb4e0', '#2d3270', '#e2725b'],
  ['#fbe3df', '#f0aba0', '#6b2737', '#2f7f86'],
  ['#e5f0f8', '#9dc3e0', '#1d3f5e', '#f0b84c'],
  ['#f0e6f2', '#c9a5d0', '#4a2655', '#5c9e6e'],
  ['#eef2d8', '#c3cf86', '#40491b', '#b5533c'],
  ['#f8ecd2', '#ecc46d', '#5a3b12', '#3e7cb1'],
  ['#e2efe9', '#8fbf9f', '#24483a', '#d9688a'],
  ['#ebe7e2', '#bfb2a3', '#3c3631', '#3f8f8b'],
].map(([ground = '', soft = '', deep = '', accent = '']) => ({ ground, soft, deep, accent }));

/** 32-bit FNV-1a, then the finalizer of MurmurHash3, so that similar names get different colours. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

const paletteOf = (hash: number): Palette => palettes[hash % palettes.length] as Palette;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

/** The words of a name, without the number that makes it unique. */
const wordsOf = (name: string): string[] => {
  const words = name.split(/[-._]+/).filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  return words.length > 1 && /^\d+$/.test(last) ? words.slice(0, -1) : words;
};
const initialsOf = (name: string): string =>
  wordsOf(name)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** At most three lines of about 24 letters; the rest is cut off. */
const linesOf = (name: string): string[] => {
  const lines = [''];
  for (const word of wordsOf(name)) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= 24) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  const shown = lines.slice(0, 3);
  if (lines.length > 3) shown[2] = `${shown[2]} …`;
  return shown.map((line, n) => (n === 0 ? capitalised(line) : line).slice(0, 40));
};

const svg = (width: number, height: number, label: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}">${body}</svg>\n`;

const letters = (text: string, x: number, y: number, size: number, fill: string, more = ''): string =>
  `<text x="${x}" y="${y}" font-family="Helvetica,Arial,sans-serif" font-size="${size}" font-weight="700" fill="${fill}"${more}>${escaped(text)}</text>`;
const centred = ' text-anchor="middle" dominant-baseline="central"';

/** One of six simple shapes in a square of 100 by 100. */
const emblemOf = (hash: number, fill: string, second: string): string => {
  const shapes = [
    `<circle cx="50" cy="50" r="34" fill="${fill}"/><circle cx="62" cy="42" r="26" fill="${second}"/>`,
    `<path d="M50 12 86 80H14z" fill="${fill}"/><circle cx="50" cy="58" r="13" fill="${second}"/>`,
    `<rect x="20" y="20" width="60" height="60" rx="14" fill="${fill}" transform="rotate(45 50 50)"/><rect x="38" y="38" width="24" height="24" rx="6" fill="${second}"/>`,
    `<path d="M14 60a36 36 0 0 1 72 0z" fill="${fill}"/><rect x="14" y="66" width="72" height="12" rx="6" fill="${second}"/>`,
    `<path d="M50 10l11 27 29 2-22 19 7 29-25-16-25 16 7-29-22-19 29-2z" fill="${fill}"/><circle cx="50" cy="52" r="11" fill="${second}"/>`,
    `<circle cx="34" cy="38" r="20" fill="${fill}"/><circle cx="66" cy="38" r="20" fill="${second}"/><circle cx="50" cy="66" r="20" fill="${fill}" opacity=".8"/>`,
  ];
  return shapes[(hash >>> 8) % shapes.length] ?? '';
};

const person = (name: string, size: number): string => {
  const { soft, deep, ground } = paletteOf(hashOf(name));
  const [x, y] = [20 + ((hashOf(name) >>> 12) % 60), 78 + ((hashOf(name) >>> 20) % 30)];
  const body = `<rect width="100" height="100" fill="${soft}"/><circle cx="${x}" cy="${y}" r="46" fill="${ground}" opacity=".7"/>${letters(initialsOf(name), 50, 52, 40, deep, centred)}`;
  return svg(size, size, wordsOf(name).join(' '), `<g transform="scale(${size / 100})">${body}</g>`);
};

const agent = (name: string, size: number): string => {
  const hash = hashOf(name);
  const { ground, soft, deep, accent } = paletteOf(hash);
  const [back, face] = (hash >>> 10) % 2 === 0 ? [ground, deep] : [deep, soft];
  const look = face === deep ? soft : deep;
  const eye = 5 + ((hash >>> 16) % 4);
  const round = [8, 16, 27][(hash >>> 20) % 3];
  const mouth = ['M38 66q12 9 24 0', 'M40 67h20', 'M38 69q12 -7 24 0'][(hash >>> 24) % 3];
  const body = `<rect width="100" height="100" fill="${back}"/><path d="M50 12v16" stroke="${face}" stroke-width="4"/><circle cx="50" cy="12" r="6" fill="${accent}"/><rect x="18" y="28" width="64" height="54" rx="${round}" fill="${face}"/><circle cx="37" cy="51" r="${eye}" fill="${look}"/><circle cx="63" cy="51" r="${eye}" fill="${look}"/><path d="${mouth}" stroke="${accent}" stroke-width="4" fill="none" stroke-linecap="round"/>`;
  return svg(size, size, wordsOf(name).join(' '), `<g transform="scale(${size / 100})">${body}</g>`);
};

const logo = (name: string): string => {
  const hash = hashOf(name);
  const { ground, deep, accent } = paletteOf(hash);
  const body = `<rect width="256" height="256" rx="48" fill="${deep}"/><g transform="translate(28 28) scale(2)">${emblemOf(hash, accent, ground)}</g>`;
  return svg(256, 256, wordsOf(name).join(' '), body);
};

const badge = (name: string): string => {
  const hash = hashOf(name);
  const { ground, soft, deep, accent } = paletteOf(hash);
  const isWinner = name.endsWith('winner');
  const ribbon = `<path d="M150 330l-30 150 70-34 42 54 24-150zM362 330l30 150-70-34-42 54-24-150z" fill="${accent}"/>`;
  const body = `<rect width="512" height="512" fill="${ground}"/>${isWinner ? ribbon : ''}<path d="M256 44l168 97v194l-168 97-168-97V141z" fill="${deep}"/><path d="M256 76l140 81v162l-140 81-140-81V157z" fill="${soft}"/><g transform="translate(146 122) scale(2.2)">${emblemOf(hash, deep, accent)}</g>${letters(initialsOf(name), 256, 362, 40, deep, centred)}`;
  return svg(512, 512, wordsOf(name).join(' '), body);
};

const gift = (name: string): string => {
  const hash = hashOf(name);
  const { ground, soft, deep, accent } = paletteOf(hash);
  const body = `<rect width="256" height="256" fill="${ground}"/><rect x="48" y="104" width="160" height="112" rx="10" fill="${soft}"/><rect x="36" y="80" width="184" height="40" rx="8" fill="${deep}"/><rect x="116" y="80" width="24" height="136" fill="${accent}"/><path d="M128 80c-60 0-56-52-28-48 18 3 28 48 28 48zm0 0c60 0 56-52 28-48-18 3-28 48-28 48z" fill="none" stroke="${accent}" stroke-width="12"/>`;
  return svg(256, 256, wordsOf(name).join(' '), body);
};

const banner = (name: string): string => {
  const hash = hashOf(name);
  const { ground, soft, deep, accent } = paletteOf(hash);
  const lines = linesOf(name);
  const top = 315 - ((lines.length - 1) * 84) / 2;
  const text = lines
    .map((line, n) => letters(line, 84, top + n * 84, 64, deep, ' dominant-baseline="central"'))
    .join('');
  const body = `<rect width="1200" height="630" fill="${ground}"/><circle cx="${900 + ((hash >>> 12) % 200)}" cy="${(hash >>> 16) % 200}" r="260" fill="${soft}" opacity=".6"/><g transform="translate(900 330) scale(2.6)" opacity=".9">${emblemOf(hash, accent, deep)}</g><rect x="84" y="84" width="96" height="12" fill="${accent}"/>${text}`;
  return svg(1200, 630, lines.join(' '), body);
};

const screen = (name: string): string => {
  const hash = hashOf(name);
  const { ground, soft, deep, accent } = paletteOf(hashOf(wordsOf(name).join('-')));
  const bars = Array.from({ length: 7 }, (_, n) => {
    const height = 60 + ((hash >>> (n * 3)) % 8) * 30;
    return `<rect x="${480 + n * 108}" y="${660 - height}" width="72" height="${height}" rx="8" fill="${n % 3 === 1 ? accent : soft}"/>`;
  }).join('');
  const rows = [0, 1, 2, 3, 4]
    .map(
      (n) =>
        `<rect x="48" y="${190 + n * 84}" width="${200 + ((hash >>> n) % 7) * 20}" height="36" rx="10" fill="${soft}"/>`,
    )
    .join('');
  const title = capitalised(wordsOf(name).join(' '));
  const body = `<rect width="1280" height="800" fill="${ground}"/><rect width="1280" height="112" fill="${deep}"/>${letters(title, 48, 58, 44, ground, ' dominant-baseline="central"')}<circle cx="1216" cy="56" r="24" fill="${accent}"/>${rows}<rect x="432" y="176" width="800" height="540" rx="20" fill="#fff"/>${bars}`;
  return svg(1280, 800, title, body);
};

const plainKinds = {
  logos: logo,
  badges: badge,
  gifts: gift,
  bounties: banner,
  contests: banner,
  entries: banner,
  work: banner,
  screens: screen,
} as const;
const sizedKinds = { people: person, agents: agent } as const;

export const pictureUrl = (base: string, kind: keyof typeof plainKinds, name: string): string =>
  `${base}/${kind}/${name}.svg`;

export const avatarOf = (base: string, kind: keyof typeof sizedKinds, name: string): { sm: string; lg: string } => ({
  sm: `${base}/${kind}/64/${name}.svg`,
  lg: `${base}/${kind}/512/${name}.svg`,
});

const pathShape = /^\/(?<kind>[a-z]{1,20})(?:\/(?<size>64|512))?\/(?<name>[a-z0-9][a-z0-9._-]{0,119})\.svg$/;

/** The SVG at a path such as `/badges/founding-member.svg`, or null if the path is not valid. */
export const pictureOf = (path: string): string | null => {
  const { kind = '', size, name = '' } = pathShape.exec(path)?.groups ?? {};
  if (size !== undefined)
    return Object.hasOwn(sizedKinds, kind) ? sizedKinds[kind as 'people'](name, Number(size)) : null;
  return Object.hasOwn(plainKinds, kind) ? plainKinds[kind as 'logos'](name) : null;
};
