// The form of a registry in the registration file of an agent, namespace:chainId:address (gap G14), as a PostgreSQL
// regular expression. The file omits registries of another form; import and status report them.
export const registryForm = '^[^:[:space:]]+:[^:[:space:]]+:[^[:space:]]+$';
