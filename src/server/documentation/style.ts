/** The style of the pages: light or dark as the system, in one column on a telephone. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1f2328; --faint: #57606a; --link: #0a53c0; --line: #d0d7de;
  --code: #f3f4f6; --mark: #fff2a8; --mark-text: #1f2328;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181c; --text: #e4e7eb; --faint: #aab2bd; --link: #8ab8ff; --line: #3a4149;
    --code: #21262c; --mark: #6b5a00; --mark-text: #ffffff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); text-decoration: underline; text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 12px 20px;
  border-bottom: 1px solid var(--line); }
header .brand { font-weight: 600; }
header form { display: flex; gap: 8px; flex: 1 1 260px; max-width: 480px; }
input, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--faint);
  border-radius: 6px; padding: 6px 10px; min-height: 40px; }
input { flex: 1; min-width: 0; }
button { background: var(--code); cursor: pointer; }
header a { padding: 8px 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 32px; padding: 20px; max-width: 1240px;
  margin: 0 auto; }
main { min-width: 0; overflow-wrap: anywhere; }
nav h2 { font-size: 1rem; margin: 20px 0 4px; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: inline-block; padding: 4px 0; }
nav a[aria-current] { font-weight: 600; color: var(--text); }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 16px; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 32px 0 12px; }
h3 { font-size: 1.1rem; margin: 24px 0 8px; }
pre, code { font: 0.875em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: 4px; padding: 1px 4px; }
pre { background: var(--code); border-radius: 8px; padding: 12px 16px; overflow-x: auto; }
.file { color: var(--faint); font-size: 0.875em; margin: 16px 0 -8px; }
pre code { padding: 0; font-size: 1em; background: none; overflow-wrap: normal; }
.table { overflow-x: auto; margin: 16px 0; }
table { border-collapse: collapse; font-size: 0.94rem; overflow-wrap: break-word; }
th, td { border: 1px solid var(--line); padding: 6px 10px; text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; }
mark { background: var(--mark); color: var(--mark-text); }
.place { color: var(--faint); margin: 0; }
.hits { padding: 0; list-style: none; }
.hits h2 { font-size: 1.1rem; margin: 20px 0 0; }
.hits p { margin: 4px 0; }
@media (min-width: 900px) {
  .columns { grid-template-columns: 250px minmax(0, 1fr); }
  main { grid-column: 2; grid-row: 1; }
  nav { grid-column: 1; grid-row: 1; }
}
@media print { header, nav { display: none; } }
`;
