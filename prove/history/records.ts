import type { Tenant } from '../tenancy'
import type { HistoryKind } from './kinds'
import { deleted, Register, type Interval } from './registers'

/** A record that exists according to the acknowledged operations. */
export interface LiveRecord {
  sid: string
  kind: HistoryKind
  tenant: Tenant
  name: string
  createdAtMs: number
  /** Whether a deletion was sent, so that lists may lack the record. */
  isDeleting: boolean
}

interface NameClaim {
  fromMs: number
  untilMs: number
}

const keyOf = (kind: HistoryKind, tenant: Tenant, slot: number) => `${kind.path} ${tenant.name} ${slot}`

/** All operations so far: the registers of every record, and the records that exist. */
export class RecordHistory {
  private readonly registers = new Map<string, Register>()
  /** Usually one record each. Clients that fill an empty slot at the same time add several. */
  private readonly slots = new Map<string, LiveRecord[]>()
  /** Per number: the times at which a record certainly had it. */
  private readonly claims = new Map<string, NameClaim[]>()
  private readonly openClaims = new Map<string, NameClaim>()
  /** Values of new records whose creation had no clear outcome; their SIDs are unknown. */
  private readonly unclearValues = new Set<string>()
  private readonly usedVersions = new Set<string>()
  readonly liveRecords = new Set<LiveRecord>()
  readonly problems: string[] = []
  /** Responses by their kind, for the figures. */
  readonly counts = { reads: 0, writes: 0, refused: 0, unavailable: 0 }

  registerOf(sid: string, field: string): Register {
    const key = `${sid} ${field}`
    let register = this.registers.get(key)
    if (!register) this.registers.set(key, (register = new Register(key)))
    return register
  }

  findRecord(kind: HistoryKind, tenant: Tenant, slot: number): LiveRecord | undefined {
    return this.slots.get(keyOf(kind, tenant, slot))?.[0]
  }

  addRecord(record: LiveRecord, slot: number, values: Record<string, unknown>, interval: Interval): void {
    for (const field of record.kind.fields) this.registerOf(record.sid, field).write(String(values[field]), interval)
    this.liveRecords.add(record)
    const key = keyOf(record.kind, record.tenant, slot)
    this.slots.set(key, [...(this.slots.get(key) ?? []), record])
    if (!record.kind.hasFixedName) return
    const claim = { fromMs: interval.endMs, untilMs: Infinity }
    this.openClaims.set(record.sid, claim)
    const claims = this.claims.get(record.name)
    if (claims) claims.push(claim)
    else this.claims.set(record.name, [claim])
  }

  /** Records that a creation may have happened. */
  addUnclearRecord(values: Record<string, unknown>): void {
    for (const value of Object.values(values)) this.unclearValues.add(String(value))
  }

  /** Records a deletion. Without an acknowledgement its end is Infinity. */
  deleteRecord(record: LiveRecord, slot: number, interval: Interval): void {
    this.writeToAll(record, deleted, interval)
    this.liveRecords.delete(record)
    const key = keyOf(record.kind, record.tenant, slot)
    this.slots.set(
      key,
      (this.slots.get(key) ?? []).filter((other) => other !== record),
    )
    const claim = this.openClaims.get(record.sid)
    if (claim) claim.untilMs = Math.min(claim.untilMs, interval.startMs)
  }

  private writeToAll({ sid, kind }: LiveRecord, value: string, interval: Interval): void {
    for (const field of kind.fields) this.registerOf(sid, field).write(value, interval)
  }

  /** A 404 response, which reads every field of the record as deleted. */
  readDeleted({ sid, kind }: LiveRecord, interval: Interval): void {
    for (const field of kind.fields) this.registerOf(sid, field).read(deleted, interval)
  }

  readRow(kind: HistoryKind, row: Record<string, unknown>, interval: Interval): void {
    const sid = String(row[kind.key])
    for (const field of kind.fields) this.registerOf(sid, field).read(String(row[field]), interval)
  }

  /** Two accepted updates that required the same version: one of them overwrote the other. */
  useVersion(sid: string, version: string): void {
    const key = `${sid} ${version}`
    if (this.usedVersions.has(key)) this.problems.push(`${sid}: two updates of version ${version} were accepted`)
    this.usedVersions.add(key)
  }

  count(method: string, status: number): void {
    if (status === 503) this.counts.unavailable += 1
    else if (status >= 400) this.counts.refused += 1
    else if (method === 'GET') this.counts.reads += 1
    else this.counts.writes += 1
  }

  get registerCount(): number {
    return this.registers.size
  }

  /** Returns everything that contradicts the acknowledged operations. */
  findViolations(): string[] {
    const violations = [...this.problems]
    for (const register of this.registers.values()) {
      const isUnclear = !register.hasWrites && register.observedValues.some((value) => this.unclearValues.has(value))
      if (!isUnclear) violations.push(...register.findViolations())
    }
    for (const [number, claims] of this.claims) {
      claims.sort((a, b) => a.fromMs - b.fromMs)
      const hasConflict = claims.some(({ fromMs }, index) => index > 0 && fromMs < (claims[index - 1]?.untilMs ?? 0))
      if (hasConflict) violations.push(`the number ${number} existed twice at the same time`)
    }
    return violations
  }
}
