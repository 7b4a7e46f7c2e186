/** Warnings of an export to Ossie. Quern's extension keeps the parts that other tools cannot read. */
export const exportLosses = {
  noDialect: (platform: string, dialect: string) =>
    `Ossie has no dialect for ${platform}: its SQL is marked as ${dialect}`,
  ownOnly: () => 'Ossie has no equivalent: only Quern reads it',
  unreachable: () => 'the model forbids paths that avoid their relationship: only Quern reads this',
  seen: () => 'Ossie cannot hide fields: other tools show it',
  noType: () => 'Ossie has no type NUMBER: other tools do not see the type',
  unqualified: () => 'it is not certain which words are columns: they are written without their dataset',
  customFilter: () => 'its filter cannot be written in its expression: only Quern reads it',
  columnOrField: (name: string) =>
    `\`${name}\` is a column, but would be read as the field with that name: only Quern reads it`,
  columnInField: (name: string) =>
    `\`${name}\` is a column, but other tools may read it as the field with that name`,
  noEquality: () => 'its condition is not an equality of columns: only Quern reads it',
  otherLayer: () => 'it leads to another layer, which is a separate semantic model: only Quern reads it',
  keyOfExpression: () => 'its key contains expressions, but Ossie keys contain columns: only Quern reads it',
  renamed: (name: string) => `the name is already used: it is exported as \`${name}\``,
};
