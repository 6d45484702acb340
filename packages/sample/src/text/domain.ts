// What a project is about: the shape of a domain, the topics of launches, and first words of product names.

export interface Domain {
  key: string;
  /** Two of `topics`. */
  topics: readonly [string, string];
  /** Category and possible ecosystems of its repositories. */
  category: 'defi' | 'nft' | 'infra' | 'games' | 'tools';
  ecosystems: readonly string[];
  /** What it is, with its article. */
  thing: string;
  /** Second words of product names, which hint at the domain. */
  seconds: readonly string[];
  whom: readonly string[];
  /** What it lets them do: verb phrases in the base form. */
  does: readonly string[];
  /** Whole sentences. */
  features: readonly string[];
  /** What commits and pull requests are about. */
  parts: readonly string[];
}

export const topics: readonly string[] = [
  'Wallets',
  'Games',
  'Bots',
  'Developer tools',
  'Education',
  'Markets',
  'Social',
  'Analytics',
  'Privacy',
  'Maps',
  'Music',
  'Open data',
];

export const productWords: readonly string[] =
  'Petal Napkin Harbor Kite Pebble Lantern Maple Otter Ember Willow Anchor Comet Thimble Saffron Quill Badger Clover Drift Falcon Ginger Heron Iris Juniper Kelp Linen Marble Nutmeg Onyx Parsley Quartz Robin Sable Tulip Umbra Velvet Walnut Yonder Zinnia Acorn Birch Cinder Dapple Echo Fable Gable Hazel Inkwell Jetty Knoll Ladder Mosaic Nimbus Orchard Pigeon Quilt Ripple Sparrow Timber Upland Violet Wicker Yarrow Zigzag Almanac Beacon Cobble Dune Estuary Fathom Gimbal Hearth Islet Jigsaw Kettle Ledge Meadow Noon Opal Plover Quarry Raft Signal Tandem Utensil Verse Whistle Yeoman Zenith Abacus Bramble Canopy Dovetail Evergreen Flint Gully Hopper Ivory Jovial Kernel Lattice'.split(
    ' ',
  );
