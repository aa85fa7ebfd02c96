/** The result of a proof. */
export interface ProofResult {
  failures: string[]
  /** What was done, for the last line of the output. */
  figures: string
  /** Why the proof could not run on this machine. */
  skipped?: string
}
