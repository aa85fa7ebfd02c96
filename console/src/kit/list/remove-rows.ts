import type { QueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/general'
import { requestUntyped } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { getKindLabels } from '../record/kind-labels'
import { selectBlockingDependents, type DependentRecord } from '../record/dependents'
import { fetchDependentsFrom } from '../record/use-dependents'
import { isRecordGone, sidOf, type AnyResource } from '../record/record'
import type { RemoveOptions } from '../record/remove-dialog'

/** The reason why a record with dependents was not deleted: 'In use by Phone numbers: 15551234567, …'. */
const describeDependents = (dependents: readonly DependentRecord[]): string => {
  const kinds = [...new Set(dependents.map(({ kind }) => kind))]
  const parts = kinds.map((kind) => {
    const titles = dependents.filter((dependent) => dependent.kind === kind).map(({ title }) => title)
    const shownTitles = titles.slice(0, 3).join(', ')
    return `${getKindLabels(kind).label}: ${shownTitles}${titles.length > 3 ? ', …' : ''}`
  })
  return messages.inUseBy(parts.join('; '))
}

const findReason = async <Row>(error: Problem, row: Row, options: RemoveOptions<Row>): Promise<string> => {
  const dependents = error.dependents?.length
    ? error.dependents
    : ((await options.findDependentsAfterRefusal?.(row).catch(() => [])) ?? [])
  if (dependents.length > 0) return describeDependents(dependents)
  return options.refusalMessage?.(row, error) ?? error.msg
}

/** Was the record deleted already? Not every server reports that directly. */
const isAlreadyGone = async <Row>({ isGone, status }: Problem, resource: AnyResource<Row>, sid: string) =>
  isGone || (resource.isReadable && status >= 400 && status < 500 && (await isRecordGone(resource, sid)))

/** Deletes a record, like the dialog that deletes one. A record that is gone already counts as deleted. */
export const removeRow = async <Row>(
  cache: QueryClient,
  resource: AnyResource<Row>,
  row: Row,
  options: RemoveOptions<Row>,
) => {
  const sid = sidOf(resource, row)
  if (options.endsSession?.(row)) throw new Problem(400, undefined, { msg: messages.removesSession })
  const dependents = selectBlockingDependents(await fetchDependentsFrom(cache, resource, row, options.findDependents))
  if (dependents.length > 0) throw new Problem(400, undefined, { msg: describeDependents(dependents) })
  try {
    await requestUntyped(resource.remove, { params: { [resource.key]: sid }, body: options.body?.(row) })
  } catch (error) {
    if (!(error instanceof Problem) || error.hasEndedSession) throw error
    if (await isAlreadyGone(error, resource, sid)) return
    throw new Problem(error.status, undefined, {
      msg: await findReason(error, row, options),
      requestId: error.requestId,
    })
  }
}
