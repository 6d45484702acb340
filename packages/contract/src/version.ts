// The one version: of the packages, the command line, the OpenAPI document and the metrics. A test compares package.json.

export const version = '0.1.0';
