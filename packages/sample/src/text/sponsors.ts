// Names of companies and foundations that pay for bounties: a first word and what kind of house it is.

export const firstWords: readonly string[] =
  'Northwind Bluefin Cedar Juniper Ironbridge Halcyon Saltmarsh Meridian Copperleaf Tamarind Quayside Fernhill Basalt Oakmoss Lanternfish Sundial Greywater Foxglove Harbourlight Millrace Pinecone Ravenswood Sandpiper Thornfield Umber Veridian Willowbrook Yarrow Zephyr Almond Birchwood Cobalt Driftwood Elmfield Firefly Granite Heron Indigo Jasper Kestrel'.split(
    ' ',
  );

export const houses: readonly string[] = [
  'Labs',
  'Foundation',
  'Wallet',
  'Cooperative',
  'Systems',
  'Exchange',
  'Studio',
  'Data',
  'Cloud',
  'Trust',
  'Protocol',
  'Games',
  'Payments',
  'Learning',
  'Networks',
];
