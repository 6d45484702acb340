// Putting words into templates.

export type Slots = Readonly<Record<string, string>>;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Replaces `{name}` by the slot of that name, and `{Name}` by the slot with a capital letter. */
export const fill = (template: string, slots: Slots): string =>
  template.replace(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
    const key = first.toLowerCase() + rest;
    const text = slots[key];
    if (text === undefined) throw new Error(`no slot ${key} for: ${template}`);
    return first === first.toLowerCase() ? text : capital(text);
  });
