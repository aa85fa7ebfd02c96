/** The time of an operation, as its client measured it: the server executed it between the two. */
export interface Interval {
  startMs: number
  endMs: number
}

/** The value that a register has after its record was deleted. */
export const deleted = '(deleted)'

interface ValueHistory {
  write: Interval | undefined
  reads: Interval[]
}

/**
 * One field of one record, with every write and read of it. No value may be written twice. The end of a write whose
 * outcome is unknown is Infinity.
 */
export class Register {
  private readonly values = new Map<string, ValueHistory>()
  private readonly refusedValues = new Set<string>()

  constructor(readonly label: string) {}

  write(value: string, interval: Interval): void {
    const history = this.historyOf(value)
    // Two deletions of a record can both be unacknowledged; either of them may have happened.
    history.write = history.write
      ? {
          startMs: Math.min(history.write.startMs, interval.startMs),
          endMs: Math.min(history.write.endMs, interval.endMs),
        }
      : interval
  }

  /** Remembers a value that the server refused. */
  refuse(value: string): void {
    this.refusedValues.add(value)
  }

  read(value: string, interval: Interval): void {
    this.historyOf(value).reads.push(interval)
  }

  get hasWrites(): boolean {
    return [...this.values.values()].some(({ write }) => write)
  }

  get observedValues(): string[] {
    return [...this.values.keys()]
  }

  /**
   * Checks whether one order of all operations explains every read, and agrees with the times: an operation that ended
   * before another started comes first (linearizability). As all values are unique, the zones of Gibbons and Korach
   * (Testing Shared Memories, 1997) decide this exactly.
   */
  findViolations(): string[] {
    const violations: string[] = []
    const zones: Zone[] = []
    for (const [value, { write, reads }] of this.values) {
      if (!write) {
        const origin = this.refusedValues.has(value) ? 'that was refused' : 'that nobody wrote'
        violations.push(`${this.label}: ${reads.length} reads of '${value}' ${origin}`)
        continue
      }
      if (reads.some(({ endMs }) => endMs < write.startMs))
        violations.push(`${this.label}: '${value}' was read before it was written`)
      // A write without an outcome that nobody read may not have happened.
      if (write.endMs === Infinity && reads.length === 0) continue
      zones.push(createZone(value, [write, ...reads]))
    }
    return [...violations, ...findZoneConflicts(zones).map((conflict) => `${this.label}: ${conflict}`)]
  }

  private historyOf(value: string): ValueHistory {
    let history = this.values.get(value)
    if (!history) this.values.set(value, (history = { write: undefined, reads: [] }))
    return history
  }
}

/**
 * The time in which a register must have had a value. Forward: it had the value during the entire zone. Backward: its
 * operations overlap each other, so one moment within the zone is enough.
 */
interface Zone {
  value: string
  isForward: boolean
  lowMs: number
  highMs: number
}

const createZone = (value: string, operations: Interval[]): Zone => {
  let firstEndMs = Infinity
  let lastStartMs = -Infinity
  for (const { startMs, endMs } of operations) {
    firstEndMs = Math.min(firstEndMs, endMs)
    lastStartMs = Math.max(lastStartMs, startMs)
  }
  return firstEndMs < lastStartMs
    ? { value, isForward: true, lowMs: firstEndMs, highMs: lastStartMs }
    : { value, isForward: false, lowMs: lastStartMs, highMs: firstEndMs }
}

/** Two values at the same time: one of them was read after another write had replaced it, or its write was lost. */
const findZoneConflicts = (zones: Zone[]): string[] => {
  const conflicts: string[] = []
  const forwardZones = zones.filter(({ isForward }) => isForward).sort((a, b) => a.lowMs - b.lowMs)
  let latest: Zone | undefined
  for (const zone of forwardZones) {
    if (latest && zone.lowMs < latest.highMs)
      conflicts.push(`'${zone.value}' and '${latest.value}' were both current at ${zone.lowMs.toFixed(1)} ms`)
    if (!latest || zone.highMs > latest.highMs) latest = zone
  }
  for (const { value, lowMs, highMs } of zones.filter(({ isForward }) => !isForward)) {
    const surrounding = findLastBefore(forwardZones, lowMs)
    if (surrounding && highMs < surrounding.highMs)
      conflicts.push(`the write of '${value}' was lost: '${surrounding.value}' was current before, meanwhile and after`)
  }
  return conflicts
}

/** Of zones in order, returns the last one that begins before a time. */
const findLastBefore = (zones: Zone[], timeMs: number): Zone | undefined => {
  let low = 0
  let high = zones.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((zones[middle]?.lowMs ?? 0) < timeMs) low = middle + 1
    else high = middle
  }
  return zones[low - 1]
}
