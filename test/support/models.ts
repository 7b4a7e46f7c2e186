/** The lines of a model of one domain around those of its entities, for DuckDB. */
export function modelWith(entities: string, { layer = 'l', domain = 'd' } = {}): string {
  return `version: "1.0"
layers:
- name: ${layer}
  environment: { platform: duckdb }
  domains:
  - name: ${domain}
    entities:
${entities}`;
}
