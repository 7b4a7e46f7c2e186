import { type ConnectionSpec, DatabaseError } from './connection.ts';

/** The schema of a connection or an environment does not exist. */
export class MissingSchemaError extends DatabaseError {
  readonly schema: string;

  constructor(schema: string, ...args: ConstructorParameters<typeof DatabaseError>) {
    super(...args);
    this.schema = schema;
  }
}

/** How a session uses the schema in which it starts, and creates it. */
interface StartSchema {
  readonly schema: string;
  /** Rejects with a DatabaseError if that is impossible. */
  use(): Promise<unknown>;
  /** Whether an error of `use` means that the schema does not exist. */
  isMissing(error: DatabaseError): boolean;
  create(): Promise<unknown>;
}

/** Uses the schema in which a session starts; creates a missing one if the spec says so. Rejects with a DatabaseError. */
export async function enterSchema(
  { name, createsSchema = false }: ConnectionSpec,
  { schema, use, isMissing, create }: StartSchema,
): Promise<void> {
  try {
    await use();
  } catch (error) {
    if (!(error instanceof DatabaseError) || !isMissing(error)) throw error;
    if (!createsSchema) throw createMissing(error, name, schema);
    const failure = await create().then(
      () => null,
      (reason: unknown) => reason,
    );
    // Another session may have created it meanwhile.
    await use().catch((later: unknown) => {
      throw failure === null ? later : explainFailure(failure, name, schema);
    });
  }
}

function createMissing(error: DatabaseError, name: string, schema: string): MissingSchemaError {
  const reason = `the connection \`${name}\` or its environment names the schema \`${schema}\``;
  const message = `${error.message}; ${reason}: create it over another connection, or run a script that publishes a table or a view`;
  return new MissingSchemaError(schema, 'sql', message, undefined, { cause: error });
}

function explainFailure(error: unknown, name: string, schema: string): unknown {
  if (!(error instanceof DatabaseError) || error.code !== 'sql') return error;
  const message = `the connection \`${name}\` cannot create its schema \`${schema}\` (${error.message}): create it as another user, or grant the right to create it`;
  return new DatabaseError('sql', message, undefined, { cause: error });
}
