import { present } from '../../invariants/must.ts';

/** Waiting jobs by caller, in the order of turns. */
export interface Turns<Job> {
  add(job: Job): void;
  /** Removes and returns the next job; null without waiting jobs. */
  takeNext(): Job | null;
  /** Removes a job if it still waits. */
  remove(job: Job): void;
  count(): number;
  takeAll(): Job[];
}

/** Creates turns without waiting jobs. */
export function createTurns<Job extends { readonly caller: string }>(): Turns<Job> {
  const byCaller = new Map<string, Job[]>();
  return {
    add(job: Job): void {
      const jobs = byCaller.get(job.caller);
      if (jobs === undefined) byCaller.set(job.caller, [job]);
      else jobs.push(job);
    },
    takeNext(): Job | null {
      const [first] = byCaller;
      if (first === undefined) return null;
      const [caller, jobs] = first;
      const job = present(jobs.shift());
      byCaller.delete(caller);
      if (jobs.length > 0) byCaller.set(caller, jobs);
      return job;
    },
    remove(job: Job): void {
      const jobs = byCaller.get(job.caller) ?? [];
      const left = jobs.filter((other) => other !== job);
      if (left.length > 0) byCaller.set(job.caller, left);
      else byCaller.delete(job.caller);
    },
    count: () => byCaller.values().reduce((sum, { length }) => sum + length, 0),
    takeAll(): Job[] {
      const jobs = [...byCaller.values()].flat();
      byCaller.clear();
      return jobs;
    },
  };
}
