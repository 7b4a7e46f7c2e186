import type { DerivedParameter } from '../../../api/editor/check-script.ts';
import { type DescribedField, DescribedFields } from '../../form/described-fields.tsx';
import { findFault, needsValue, type Values } from './parameter-values.ts';
import classes from './run.module.css';

interface ParametersFormProps {
  readonly parameters: readonly DerivedParameter[];
  readonly values: Values;
  readonly onChange: (name: string, value: string) => void;
  /** The parameters that a run did not have. */
  readonly missing: readonly string[];
}

/** The parameters of a script, with a field for each. */
export function ParametersForm({ parameters, values, onChange, missing }: ParametersFormProps) {
  if (parameters.length === 0) return null;
  const findError = (name: string) => {
    const value = values[name] ?? '';
    if (value === '' && missing.includes(name)) return 'Enter a value';
    const parameter = parameters.find((one) => one.name === name);
    return parameter === undefined ? null : findFault(parameter, value);
  };
  return (
    <section className={classes.parameters} aria-label="Parameters">
      <DescribedFields
        fields={parameters.map(toField)}
        values={values}
        onChange={(name, value) => onChange(name, value ?? '')}
        findError={findError}
        size="xs"
        className={classes.parameter}
      />
    </section>
  );
}

function toField(parameter: DerivedParameter): DescribedField {
  const { name, doc, type, default: suggested, values } = parameter;
  return {
    name,
    description: doc,
    type,
    required: needsValue(parameter),
    secret: false,
    multiline: false,
    default: suggested === null ? null : String(suggested),
    choices: values === null ? null : values.map(String),
  };
}
