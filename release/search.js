// Runs in the browser, on every page under /docs: finds the sections that contain every word. The index is loaded when the
// reader begins to type.
const { index: indexUrl, root } = document.currentScript.dataset;
const form = document.querySelector('[role=search]');
const input = form.querySelector('input');
const results = document.getElementById('site-results');
const mostResults = 20;
let index;

const element = (name, text, attributes = {}) =>
  Object.assign(document.createElement(name), { textContent: text }, attributes);

/** Some words around the first match. */
const excerptOf = (text, word) => {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const begin = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1;
  return (begin > 0 ? '… ' : '') + text.slice(begin, begin + 160) + (text.length > begin + 160 ? ' …' : '');
};

const show = (words) => {
  const found = index
    .map((section) => {
      const [, title, , heading, text] = section;
      const [head, whole] = [`${title} ${heading}`.toLowerCase(), `${title} ${heading} ${text}`.toLowerCase()];
      if (!words.every((word) => whole.includes(word))) return null;
      return { section, weight: words.filter((word) => head.includes(word)).length };
    })
    .filter((match) => match !== null)
    .sort((a, b) => b.weight - a.weight);
  const list = element('ul', '');
  for (const { section } of found.slice(0, mostResults)) {
    const [path, title, id, heading, text] = section;
    const item = element('li', '');
    item.append(element('a', heading === title ? title : `${title}: ${heading}`, { href: `${root}/${path}#${id}` }));
    item.append(element('p', excerptOf(text, words[0])));
    list.append(item);
  }
  const more = found.length > mostResults ? `; the first ${mostResults} are shown` : '';
  results.replaceChildren(element('p', `${found.length} sections${more}`), list);
  results.hidden = false;
};

const search = async () => {
  const words = input.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) {
    results.hidden = true;
    return;
  }
  if (index === undefined) {
    const response = await fetch(indexUrl);
    if (!response.ok) return; // overload, or too many requests: the next letter tries again
    index = await response.json();
  }
  if (
    input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' ') === words.join(' ')
  )
    show(words);
};

form.hidden = false;
form.addEventListener('submit', (event) => event.preventDefault());
input.addEventListener('input', search);
