import { Select, TextInput } from '@mantine/core';
import type { DerivedParameter } from '../../../api/editor/check-script.ts';
import { findFault, type Values } from './parameter-values.ts';
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
  return (
    <section className={classes.parameters} aria-label="Parameters">
      {parameters.map((parameter) => (
        <Field
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          onChange={(value) => onChange(parameter.name, value)}
          isMissing={missing.includes(parameter.name)}
        />
      ))}
    </section>
  );
}

interface FieldProps {
  readonly parameter: DerivedParameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isMissing: boolean;
}

function Field({ parameter, value, onChange, isMissing }: FieldProps) {
  const { name, type, doc, is_required: isRequired } = parameter;
  const fault = value === '' && isMissing ? 'Enter a value' : findFault(parameter, value);
  const common = {
    size: 'xs',
    className: classes.parameter,
    label: name,
    withAsterisk: isRequired,
    'data-parameter': name,
    ...(doc === null ? {} : { description: doc }),
    error: fault,
  } as const;
  if (type === 'boolean') {
    return (
      <Select
        {...common}
        data={['true', 'false']}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
        clearable={!isRequired}
      />
    );
  }
  return (
    <TextInput
      {...common}
      value={value}
      inputMode={type === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
