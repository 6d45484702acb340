// Pictures: only of origins that the operator allows, since a picture tells its host who looks. Otherwise letters.
import type { Html } from './html.ts';
import { html } from './html.ts';
import { safeUrl } from './text.ts';

/** The first letters of the first two words. */
const lettersOf = (text: string): string => {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  return words
    .slice(0, 2)
    .map((part) => [...part][0]!.toUpperCase())
    .join('');
};

/** `origins`: as in EXPLORER_IMAGE_ORIGINS; `https:` allows every host. */
export const pictures = (origins: readonly string[]) => {
  /** The address of a picture that may be shown, or null. */
  const allowed = (url: string | null): string | null => {
    const href = url === null ? null : safeUrl(url);
    if (href === null) return null;
    const { origin, protocol } = new URL(href);
    return origins.includes(origin) || origins.includes(protocol) ? url : null;
  };
  const image = (url: string | null, letters: string, pixels: number): Html | null =>
    allowed(url) !== null
      ? html`<img src="${url}" alt="" data-letters="${letters}" width="${pixels}" height="${pixels}" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
      : null;
  return {
    allowed,
    /** A picture beside a name, which says what it shows. `kind`: classes of the stylesheet. */
    picture: (url: string | null, of: string, kind = '', pixels = 64): Html => {
      const letters = lettersOf(of);
      return html`<span class="pic ${kind}"><span aria-hidden="true">${letters}</span>${image(url, letters, pixels)}</span>`;
    },
  };
};
export type Pictures = ReturnType<typeof pictures>;
