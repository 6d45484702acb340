// The version of the packages, the command line, the OpenAPI document and the metrics. The package.json files have
// none; a release writes it into the published ones.

export const version = '0.1.0';
