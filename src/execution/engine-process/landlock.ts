import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Files and folders of a confined process, with everything below them. Missing ones are ignored. */
export interface Places {
  readonly execute: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Part of the base system of Debian and Ubuntu. Perl can make any system call, and Node.js none. */
const PERL = '/usr/bin/perl';

/** The numbers of the system calls `prctl` and `capset` by processor; those of Landlock are the same on all. */
const CALLS: Readonly<Partial<Record<NodeJS.Architecture, readonly [number, number]>>> = {
  x64: [157, 126],
  arm64: [167, 91],
};

/** Access rights of `linux/landlock.h`. */
const READ = 0b1100;
const EXECUTE = READ | 0b1;
/** Without links and devices: to write, remove, create folders, files and sockets, to move and to truncate. */
const WRITE = READ | 0b110_0011_1011_0010;

/**
 * Gives up all files except those of the arguments, which are pairs of rights and a path after the numbers of `CALLS`,
 * then becomes the program after `--`. Later versions of Landlock (https://docs.kernel.org/userspace-api/landlock.html)
 * also take listening at ports, devices, and signals to other processes. Root keeps one capability, to open files of
 * other users: with CAP_PERFMON it could read the memory of the server.
 */
const CONFINE = `
use strict;
sub check {
  my ($what, $result) = @_;
  return $result if $result >= 0;
  print STDERR "$what: $!";
  exit 1;
}
my ($prctl, $capset, @args) = @ARGV;
my $version = check('Landlock', syscall(444, 0, 0, 1));
if ($version < 2) { print STDERR 'Linux 5.19 or later is required'; exit 1 }
my $all = (1 << 14) - 1 | ($version >= 3 ? 1 << 14 : 0) | ($version >= 5 ? 1 << 15 : 0);
my $rules = pack('QQQ', $all, $version >= 4 ? 1 : 0, 3);
my $size = $version >= 6 ? 24 : $version >= 4 ? 16 : 8;
my $ruleset = check('Landlock', syscall(444, $rules, $size, 0));
while ((my $rights = shift @args) ne '--') {
  my $path = shift @args;
  sysopen(my $place, $path, 010000000) or next;
  my $rule = pack('Ql', $rights & $all & (-d $path ? -1 : 0xC007), fileno($place));
  check($path, syscall(445, $ruleset, 1, $rule, 0));
}
check('prctl', syscall($prctl + 0, 38, 1, 0, 0, 0));
my $header = pack('LL', 0x20080522, 0);
my ($override, $none) = (pack('L6', 2, 2), pack('L6'));
syscall($capset + 0, $header, $override) == 0 or check('capset', syscall($capset + 0, $header, $none));
check('Landlock', syscall(446, $ruleset, 0));
exec { $args[0] } @args or check($args[0], -1);
`;

/** The command that confines the following program, and everything that it starts, to places. */
export function printConfinement({ execute, read, write }: Places): readonly string[] {
  const grant = (rights: number) => (place: string) => [String(rights), place];
  const rules = [
    ...execute.flatMap(grant(EXECUTE)),
    ...read.flatMap(grant(READ)),
    ...write.flatMap(grant(WRITE)),
  ];
  return [PERL, '-e', CONFINE, ...(CALLS[process.arch] ?? []).map(String), ...rules, '--'];
}

/** Why this system cannot confine Node.js to places; null if it can. */
export async function findLandlockFault(places: Places): Promise<string | null> {
  if (process.platform !== 'linux' || CALLS[process.arch] === undefined) return 'the system has no Landlock';
  const [file = '', ...args] = printConfinement(places);
  try {
    await promisify(execFile)(file, [...args, process.execPath, '--version'], { env: {} });
    return null;
  } catch (error) {
    const { code, stderr } = error as { readonly code: unknown; readonly stderr: string };
    return code === 'ENOENT' ? `${PERL} is missing` : stderr || 'Node.js does not start with Landlock';
  }
}
