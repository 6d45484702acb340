// The form of a registry in the registration file of an agent, namespace:chainId:address (gap G14), as a PostgreSQL
// regular expression. The file leaves out what has another form; import and status report it.
export const registryForm = '^[^:[:space:]]+:[^:[:space:]]+:[^[:space:]]+$';
