// The one version: of the packages, the command line, the OpenAPI document and the metrics. The package.json files have
// none; a release writes it into what is published.

export const version = '0.1.0';
