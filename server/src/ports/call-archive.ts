import type { Measurement, Point } from './call-history'

/** A range of times in milliseconds since 1970; `endAt` is excluded. */
export interface ArchiveRange {
  startAt: number
  endAt: number
}

/** Reads all records of a store, of all tenants and whatever their age, to copy them to another store. */
export interface CallArchive {
  /** The time of the oldest record at or after a time, in milliseconds since 1970; undefined if there is none. */
  findNextTime(measurement: Measurement, startAt: number): Promise<number | undefined>
  /** Reads the records of a range in pages, each record once. */
  readPoints(measurement: Measurement, range: ArchiveRange): AsyncIterable<Point[]>
}
