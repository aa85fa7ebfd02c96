import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { toProblem } from '@trunkline/contract/kit/problem'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import {
  phoneNumberDraftSchema,
  type ImportOutcome,
  type Import,
  type PhoneNumber,
} from '@trunkline/contract/shapes/phone-number'
import type { WithOwner } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { Problem } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import type { ApplicationUse } from '../../shared/application-lock'
import { missingField } from '../../shared/refusals'
import type { PhoneNumbers } from './repository'
import { normalizeNumber, duplicateNumber, type NumberRules } from './rules'

/** How many rows are evaluated before yielding. SQLite queries never wait, so they would block other requests. */
const batchSize = 500

/** The outcome of one row of an import. `fate` is its name in the API. */
export type RowOutcome =
  | { fate: 'add'; values: Row }
  | { fate: 'change'; current: PhoneNumber; values: Row; updated: ApplicationUse }
  | { fate: 'same' }
  | { fate: 'wrong'; msg: string; field?: string }

export const presentOutcome = (outcome: RowOutcome): ImportOutcome =>
  outcome.fate === 'wrong' ? outcome : { fate: outcome.fate }

const wrongOutcome = ({ msg, field }: { msg: string; field?: string }): RowOutcome => ({
  fate: 'wrong',
  msg,
  ...(field ? { field } : {}),
})

/** The outcome of a row that a rule refuses. Rethrows other errors. */
const toWrongOutcome = (error: unknown): RowOutcome => {
  if (!(error instanceof Problem)) throw error
  const { field } = (typeof error.body === 'object' ? error.body : {}) as { field?: string }
  return wrongOutcome({ msg: error.message, ...(field ? { field } : {}) })
}

/**
 * Evaluates each row of an import without writing. A number that is stored for the same carrier is updated. A number that is
 * stored for another carrier, or added by an earlier row, is a duplicate, as in the console's form. The line of a row in the file is
 * its index plus 2, because the first line has the column names.
 */
export const evaluateRows = async (
  rows: Import['rows'],
  actor: Actor,
  rules: NumberRules,
  numbers: Pick<PhoneNumbers, 'findByNumbers'>,
): Promise<RowOutcome[]> => {
  const storedByNumber = await numbers.findByNumbers([
    ...new Set(rows.map(({ number }) => normalizeNumber(number ?? ''))),
  ])
  const firstIndexByKey = new Map<string, number>()
  const firstIndexByNumber = new Map<string, number>()
  const duplicateOutcome = (earlierIndex: number) =>
    wrongOutcome({ msg: messages.duplicateLine(earlierIndex + 2), field: 'number' })

  const evaluateStoredNumber = async (
    storedNumber: WithOwner<PhoneNumber>,
    row: Import['rows'][number],
  ): Promise<RowOutcome> => {
    if (!can(actor, 'update', 'phone_number', storedNumber.owner)) throw duplicateNumber()
    const fieldsInRow = (['account_sid', 'application_sid'] as const).filter((name) => name in row)
    const changedFields = fieldsInRow.filter((name) => (row[name] || null) !== storedNumber[name])
    if (changedFields.length === 0) return { fate: 'same' }
    const changes = Object.fromEntries(changedFields.map((name) => [name, row[name] || null]))
    const values = await rules.resolveChanges(storedNumber, changes, actor)
    return { fate: 'change', current: storedNumber, values, updated: { ...storedNumber, ...values } }
  }

  const evaluateDraft = async (
    draft: Row,
    number: string,
    row: Import['rows'][number],
    index: number,
  ): Promise<RowOutcome> => {
    const storedNumbers = storedByNumber.get(number) ?? []
    const storedNumber = storedNumbers.find(({ voip_carrier_sid }) => voip_carrier_sid === draft.voip_carrier_sid)
    if (storedNumber) return evaluateStoredNumber(storedNumber, row)
    if (storedNumbers.some(({ owner }) => can(actor, 'read', 'phone_number', owner))) throw duplicateNumber()
    // The number would be a duplicate of the one that the earlier row adds.
    const earlierIndex = firstIndexByNumber.get(number)
    if (earlierIndex !== undefined) return duplicateOutcome(earlierIndex)
    requirePermission('phone_number', 'create', actor, await rules.ownerOf(draft, actor))
    const values = { ...(await rules.resolveDraft(draft, actor)), phone_number_sid: randomUUID() }
    firstIndexByNumber.set(number, index)
    return { fate: 'add', values }
  }

  const evaluateRow = async (row: Import['rows'][number], index: number): Promise<RowOutcome> => {
    const parsed = phoneNumberDraftSchema.safeParse(
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value || null])),
    )
    if (!parsed.success) return wrongOutcome(toProblem(parsed.error))
    const draft: Row = parsed.data
    if (!draft.voip_carrier_sid) throw missingField('voip_carrier_sid')
    const number = normalizeNumber(parsed.data.number)
    const key = `${number} ${parsed.data.voip_carrier_sid}`
    const indexOfSameKey = firstIndexByKey.get(key)
    if (indexOfSameKey !== undefined) return duplicateOutcome(indexOfSameKey)
    const outcome = await evaluateDraft(draft, number, row, index)
    // A refused row does not count: a later row with the same number may be valid.
    if (outcome.fate !== 'wrong') firstIndexByKey.set(key, index)
    return outcome
  }

  const outcomes: RowOutcome[] = []
  for (const [index, row] of rows.entries()) {
    if (index % batchSize === 0) await yieldToEventLoop()
    outcomes.push(await evaluateRow(row, index).catch(toWrongOutcome))
  }
  return outcomes
}
