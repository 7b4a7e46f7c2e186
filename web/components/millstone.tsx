/** The furrows of a millstone, as a decorative background. */
export function Millstone({ className }: { readonly className: string | undefined }) {
  const sectors = Array.from({ length: 12 }, (_, sector) => sector * 30);
  return (
    <svg
      className={className}
      viewBox="-200 -200 400 400"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <circle r="22" strokeWidth="0.35" />
      <circle r="196" strokeWidth="0.7" />
      {sectors.map((angle) => (
        <g key={angle} transform={`rotate(${angle})`}>
          <path d="M0-24V-194M16-58V-190M34-102V-186M52-140V-181" strokeWidth="0.35" />
        </g>
      ))}
    </svg>
  );
}
