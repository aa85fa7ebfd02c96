import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/general'
import { useState, type ReactNode } from 'react'
import { requestUntyped } from '../../lib/client'
import { Problem, getErrorMessage } from '../../lib/problem'
import { leaveSession } from '../../session/session'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { InUseDialog } from '../../ui/dialog/in-use-dialog'
import { toast } from '../../ui/feedback/toast'
import { isRecordGone, refreshAfterChange, sidOf, useRemoveRecord, type AnyResource } from './record'
import { groupDependents, type DependentRecord } from './dependents'

export type { DependentRecord } from './dependents'

export interface RemoveOptions<Row> {
  /** The toast after the deletion: `messages.removed(row.name)`. */
  removedMessage: (row: Row) => string
  /** Finds the dependents: when the dialog opens, and again before the deletion. */
  findDependents?: (row: Row) => Promise<DependentRecord[]>
  /** Finds the dependents after a refusal, for servers that refuse without listing them. */
  findDependentsAfterRefusal?: (row: Row) => Promise<DependentRecord[]>
  /** The question, which names the record. */
  question?: (row: Row) => ReactNode
  /** Further information below the question. */
  note?: (row: Row) => ReactNode
  /** A better message for a refusal than the server's. */
  refusalMessage?: (row: Row, problem: Problem) => string | undefined
  /** True if this deletion ends the current session. */
  endsSession?: (row: Row) => boolean
  /** The request body, if the route needs one. */
  body?: (row: Row) => unknown
}

export interface RemoveDialogProps<Row> extends RemoveOptions<Row> {
  resource: AnyResource<Row>
  /** The record to delete. Undefined: the dialog is closed. */
  row: Row | undefined
  onClose: () => void
  /** Called after the deletion. */
  onRemoved?: (row: Row) => void
  /** Leaves the record's own page, after the deletion and before its data is refetched. */
  leave?: () => Promise<unknown>
}

/**
 * Could this error mean that the record is gone? A 401, 429 or 5xx could not, and a kind without a read route cannot be
 * checked.
 */
const mayBeGone = <Row,>({ status }: Problem, { isReadable }: AnyResource<Row>) =>
  isReadable && status >= 400 && status < 500 && status !== 401 && status !== 429

/**
 * Loads the dependents while the user reads the question, so that users rarely confirm a deletion that cannot succeed.
 */
const useKnownUses = <Row,>(
  resource: AnyResource<Row>,
  row: Row | undefined,
  findDependents: RemoveOptions<Row>['findDependents'],
): DependentRecord[] => {
  const { data = [] } = useQuery({
    queryKey: ['uses', resource.kind, row && sidOf(resource, row)],
    queryFn: () => (row && findDependents ? findDependents(row) : []),
    enabled: row !== undefined && findDependents !== undefined,
    gcTime: 0,
    retry: false,
    meta: { suppressErrorToast: true },
  })
  return data
}

interface QuestionProps<Row> {
  resource: AnyResource<Row>
  row: Row
  question: RemoveOptions<Row>['question']
}

const Question = <Row,>({ resource, row, question }: QuestionProps<Row>) =>
  question?.(row) ?? (
    <>
      Are you sure you want to delete the {resource.noun.singular} <strong>{resource.title(row)}</strong>?
    </>
  )

/** Deletes one record after a confirmation that names it. If dependents prevent the deletion, lists them as links. */
export const RemoveDialog = <Row,>(props: RemoveDialogProps<Row>) => {
  const {
    resource,
    row,
    onClose,
    onRemoved,
    leave,
    removedMessage,
    findDependents,
    findDependentsAfterRefusal,
    question,
    note,
    refusalMessage,
    endsSession,
    body,
  } = props
  const [uses, setUses] = useState<{ row: Row; list: DependentRecord[] }>()
  const [fault, setFault] = useState<string>()
  const [checking, setChecking] = useState(false)
  const remove = useRemoveRecord(resource, { quiet: true, leave })
  const cache = useQueryClient()
  // keep the text while the dialog closes
  const [last, setLast] = useState(row)
  if (row && row !== last) {
    setLast(row)
    setFault(undefined)
    setUses(undefined)
  }
  const shown = row ?? last
  const known = useKnownUses(resource, row, findDependents)
  if (!shown) return null

  const reasons = async (target: Row, error: unknown): Promise<DependentRecord[]> => {
    if (!(error instanceof Problem)) return []
    return error.dependents?.length
      ? error.dependents
      : ((await findDependentsAfterRefusal?.(target).catch(() => [])) ?? [])
  }

  const sayRefusal = (target: Row, error: unknown) =>
    (error instanceof Problem ? refusalMessage?.(target, error) : undefined) ?? getErrorMessage(error)

  const removeNow = async (target: Row) => {
    const sent = { sid: sidOf(resource, target), body: body?.(target) }
    if (endsSession?.(target)) {
      // nothing can be refetched after the session ends
      await requestUntyped(resource.remove, { params: { [resource.key]: sent.sid }, body: sent.body })
      toast.ok(removedMessage(target))
      leaveSession()
      return
    }
    await remove.mutateAsync(sent)
    toast.ok(removedMessage(target))
    onClose()
    onRemoved?.(target)
  }

  /** Is the record already gone? Not every server reports that directly. */
  const wasGone = async (target: Row, error: unknown) =>
    error instanceof Problem &&
    (error.gone || (mayBeGone(error, resource) && (await isRecordGone(resource, sidOf(resource, target)))))

  /** Another user has deleted the record first: refreshes the screen. */
  const giveUp = async () => {
    await leave?.()
    toast.bad(messages.recordGone)
    onClose()
    await refreshAfterChange(cache, resource.kind)
  }

  const run = async (target: Row) => {
    setFault(undefined)
    setChecking(true)
    try {
      const list = (await findDependents?.(target)) ?? []
      if (list.length > 0) return setUses({ row: target, list })
      await removeNow(target)
    } catch (error) {
      if (error instanceof Problem && error.hasEndedSession) return
      const list = await reasons(target, error)
      if (list.length > 0) return setUses({ row: target, list })
      if (await wasGone(target, error)) return await giveUp()
      setFault(sayRefusal(target, error))
      toast.bad(sayRefusal(target, error))
    } finally {
      setChecking(false)
    }
  }

  const listed = uses?.list ?? known
  if (listed.length > 0 && row)
    return (
      <InUseDialog
        opened
        name={resource.title(row)}
        groups={groupDependents(listed)}
        onClose={() => (setUses(undefined), onClose())}
      />
    )
  return (
    <ConfirmDialog
      opened={row !== undefined}
      title={`Delete ${resource.noun.singular}`}
      question={<Question resource={resource} row={shown} question={question} />}
      confirm="Delete"
      pending={checking || remove.isPending}
      error={fault}
      onConfirm={() => void run(shown)}
      onClose={onClose}
    >
      {row ? note?.(row) : null}
    </ConfirmDialog>
  )
}
