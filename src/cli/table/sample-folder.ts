/** The folder in which `quern demo` creates the sample project, if no other is given. */
export const SAMPLE_FOLDER = 'quern-demo';
