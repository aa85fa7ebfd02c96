import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/general'
import { useState, type ReactNode } from 'react'
import { requestUntyped } from '../../lib/client'
import { Problem, getErrorMessage } from '../../lib/problem'
import { endSessionLocally } from '../../session/session'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { InUseDialog } from '../../ui/dialog/in-use-dialog'
import { toast } from '../../ui/feedback/toast'
import { isRecordGone, refreshAfterChange, sidOf, type AnyResource } from './record'
import { getDisplayTitle } from './display-title'
import { useRemoveRecord } from './record-mutations'
import { groupDependents, selectBlockingDependents, type DependentRecord } from './dependents'
import { fetchLatestDependents, useDependents, type FindDependents } from './use-dependents'

export type { DependentRecord } from './dependents'

export interface RemoveOptions<Row> {
  /** The toast after the deletion: `messages.removed(row.name)`. */
  removedMessage: (row: Row) => string
  /**
   * Finds the dependents on servers that cannot list them in one response: when the dialog opens, and again before the
   * deletion.
   */
  findDependents?: FindDependents<Row>
  /** The lists of all dependents of a kind, by kind, where one can be filtered by the record. */
  createListPaths?: (row: Row) => Partial<Record<string, string>>
  /** Finds the dependents after a refusal, for servers that refuse without listing them. */
  findDependentsAfterRefusal?: FindDependents<Row>
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
  /** Leaves the record's screen. Called after the deletion and before data is refetched. */
  leaveScreen?: () => Promise<unknown>
}

/**
 * Could this error mean that the record is gone? A 401, 429 or 5xx could not, and a kind without a read route cannot be
 * checked.
 */
const mayBeGone = <Row,>({ status }: Problem, { isReadable }: AnyResource<Row>) =>
  isReadable && status >= 400 && status < 500 && status !== 401 && status !== 429

/** The dependents that the server reports with a refusal, or those that the caller finds after it. */
const findRefusalDependents = async <Row,>(
  error: unknown,
  row: Row,
  { findDependentsAfterRefusal }: RemoveOptions<Row>,
): Promise<DependentRecord[]> => {
  if (!(error instanceof Problem)) return []
  return error.dependents?.length ? error.dependents : ((await findDependentsAfterRefusal?.(row).catch(() => [])) ?? [])
}

/** Is the record already gone? Not every server reports that directly. */
const isAlreadyGone = async <Row,>(error: unknown, row: Row, resource: AnyResource<Row>) =>
  error instanceof Problem &&
  (error.isGone || (mayBeGone(error, resource) && (await isRecordGone(resource, sidOf(resource, row)))))

/** Deletes a record unless dependents prevent it. Returns what the dialog shows about a failure. */
const useRemoval = <Row,>(props: RemoveDialogProps<Row>) => {
  const {
    resource,
    onClose,
    onRemoved,
    leaveScreen,
    removedMessage,
    findDependents,
    refusalMessage,
    endsSession,
    body,
  } = props
  const [blockingDependents, setBlockingDependents] = useState<DependentRecord[]>()
  const [errorMessage, setErrorMessage] = useState<string>()
  const [isChecking, setIsChecking] = useState(false)
  const removeRecord = useRemoveRecord(resource, { suppressErrorToast: true, leaveScreen })
  const cache = useQueryClient()

  const removeNow = async (row: Row) => {
    const deletion = { sid: sidOf(resource, row), body: body?.(row) }
    if (endsSession?.(row)) {
      // nothing can be refetched after the session ends
      await requestUntyped(resource.remove, { params: { [resource.key]: deletion.sid }, body: deletion.body })
      toast.ok(removedMessage(row))
      endSessionLocally()
      return
    }
    await removeRecord.mutateAsync(deletion)
    toast.ok(removedMessage(row))
    onClose()
    onRemoved?.(row)
  }

  /** Another user has deleted the record first: refreshes the screen. */
  const leaveGoneRecord = async () => {
    await leaveScreen?.()
    toast.bad(messages.recordGone)
    onClose()
    await refreshAfterChange(cache, resource.kind)
  }

  const showFailure = async (error: unknown, row: Row) => {
    if (error instanceof Problem && error.hasEndedSession) return
    const dependents = await findRefusalDependents(error, row, props)
    if (dependents.length > 0) return setBlockingDependents(dependents)
    if (await isAlreadyGone(error, row, resource)) return leaveGoneRecord()
    const message = (error instanceof Problem ? refusalMessage?.(row, error) : undefined) ?? getErrorMessage(error)
    setErrorMessage(message)
    toast.bad(message)
  }

  const remove = async (row: Row) => {
    setErrorMessage(undefined)
    setIsChecking(true)
    try {
      const dependents = selectBlockingDependents(await fetchLatestDependents(cache, resource, row, findDependents))
      if (dependents.length > 0) return setBlockingDependents(dependents)
      await removeNow(row)
    } catch (error) {
      await showFailure(error, row)
    } finally {
      setIsChecking(false)
    }
  }
  const reset = () => {
    setErrorMessage(undefined)
    setBlockingDependents(undefined)
  }
  return {
    remove,
    reset,
    blockingDependents,
    errorMessage,
    isPending: isChecking || removeRecord.isPending,
  }
}

interface QuestionProps<Row> {
  resource: AnyResource<Row>
  row: Row
  question: RemoveOptions<Row>['question']
}

const Question = <Row,>({ resource, row, question }: QuestionProps<Row>) =>
  question?.(row) ?? (
    <>
      Are you sure you want to delete the {resource.noun.singular} <strong>{getDisplayTitle(resource, row)}</strong>?
    </>
  )

/** Deletes one record after a confirmation that names it. If dependents prevent the deletion, lists them as links. */
export const RemoveDialog = <Row,>(props: RemoveDialogProps<Row>) => {
  const { resource, row, onClose, findDependents, createListPaths, question, note } = props
  const removal = useRemoval(props)
  // keep the text while the dialog closes
  const [lastRow, setLastRow] = useState(row)
  if (row && row !== lastRow) {
    setLastRow(row)
    removal.reset()
  }
  const shownRow = row ?? lastRow
  // loaded while the user reads the question, so that users rarely confirm a deletion that cannot succeed
  const { data: preloadedDependents = [] } = useDependents(resource, row, findDependents)
  if (!shownRow) return null

  const dependents = removal.blockingDependents ?? selectBlockingDependents(preloadedDependents)
  if (dependents.length > 0 && row)
    return (
      <InUseDialog
        opened
        name={getDisplayTitle(resource, row)}
        groups={groupDependents(dependents, createListPaths?.(row))}
        onClose={() => {
          removal.reset()
          onClose()
        }}
      />
    )
  return (
    <ConfirmDialog
      opened={row !== undefined}
      title={`Delete ${resource.noun.singular}`}
      question={<Question resource={resource} row={shownRow} question={question} />}
      confirmLabel="Delete"
      pending={removal.isPending}
      error={removal.errorMessage}
      onConfirm={() => void removal.remove(shownRow)}
      onClose={onClose}
    >
      {row ? note?.(row) : null}
    </ConfirmDialog>
  )
}
