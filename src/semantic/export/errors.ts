/** What is said of a model that Ossie has no words for; Quern's own extension keeps what others cannot see. */
export const exportLosses = {
  noDialect: (platform: string, dialect: string) =>
    `Ossie has no dialect for ${platform}: its SQL is marked as ${dialect}`,
  ownOnly: () => 'Ossie has no word for it: only Quern sees it',
  unreachable: () => 'the model says that no path may lead around their relationship: only Quern sees it',
  seen: () => 'Ossie hides nothing: others show it',
  noType: () => 'Ossie has no word for NUMBER: others do not see its type',
  unqualified: () => 'it is not certain which words are columns: they stand without their dataset',
  customFilter: () => 'its filter cannot be put into its expression: only Quern sees it',
  columnOrField: (name: string) =>
    `\`${name}\` is a column, and would be read as the field of that name: only Quern sees it`,
  columnInField: (name: string) =>
    `\`${name}\` is a column, and others may read it as the field of that name`,
  noEquality: () => 'its condition is no equality of columns: only Quern sees it',
  otherLayer: () => 'it leads to another layer, which is another semantic model: only Quern sees it',
  keyOfExpression: () => 'its key has expressions, and Ossie knows columns: only Quern sees it',
  renamed: (name: string) => `another one is called so: it is called \`${name}\``,
};
