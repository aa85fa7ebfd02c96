import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome } from '@trunkline/contract/shapes/phone-number'
import { refreshAfterChange } from '../../kit/record/record'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { Problem, getErrorMessage } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { bulkImporter, createRowImporter } from './importer'
import { createExistingNumbersSource, readImportRecords } from './import-records'
import { refersByName, parseFile, refuseDuplicates, resolveLines, type ImportRow } from './import-file'

/** The current step of the import. */
export type ImportStep =
  /** `failedFile`: the file whose check or import failed. It can be tried again. */
  | { kind: 'file'; error?: string; failedFile?: File }
  | { kind: 'progress'; label: string; isWriting: boolean; doneCount: number | undefined; total: number }
  | { kind: 'preview'; rows: ImportRow[]; file: File }

const isWritable = ({ outcome }: ImportRow) => outcome.fate === 'add' || outcome.fate === 'change'
export const isInvalid = ({ outcome }: ImportRow) => outcome.fate === 'wrong'

const noRecords = { carriers: [], accounts: [], applications: [] }

/** Reads and checks a file, then writes its rows. */
export const useImport = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const cache = useQueryClient()
  const [importStep, setImportStep] = useState<ImportStep>({ kind: 'file' })
  const [importer, setImporter] = useState(() => bulkImporter)
  const abortController = useRef<AbortController>(undefined)
  useEffect(() => () => abortController.current?.abort(), [])

  const reportProgress = (label: string, isWriting: boolean) => (doneCount: number | undefined, total: number) =>
    setImportStep({ kind: 'progress', label, isWriting, doneCount, total })
  const reportFailure = (error: unknown, failedFile: File) => {
    const hasEndedSession = error instanceof Problem && error.hasEndedSession
    setImportStep(hasEndedSession ? { kind: 'file' } : { kind: 'file', error: getErrorMessage(error), failedFile })
  }

  const checkFile = async (file: File) => {
    abortController.current?.abort()
    const { signal } = (abortController.current = new AbortController())
    try {
      const result = parseFile(await file.text())
      if ('error' in result) return setImportStep({ kind: 'file', error: result.error })
      const capabilities = await cache.ensureQueryData(capabilitiesQuery)
      const nextImporter = capabilities.import
        ? bulkImporter
        : createRowImporter(createExistingNumbersSource(actor, service_provider_sid))
      setImporter(nextImporter)
      const onProgress = reportProgress('Checking the rows', false)
      onProgress(0, result.lines.length)
      const records = refersByName(result.lines)
        ? await readImportRecords(actor, service_provider_sid, signal)
        : noRecords
      const ownAccountSid = actor.scope === 'account' ? actor.account_sid : undefined
      const entries = resolveLines(result.lines, records, ownAccountSid)
      const validEntries = entries.filter(({ error }) => !error)
      const outcomes = validEntries.length > 0 ? await nextImporter.check(validEntries, onProgress, signal) : []
      let nextIndex = 0
      const rows = entries.map((entry) => ({ entry, outcome: entry.error ?? outcomes[nextIndex++]! }))
      setImportStep({ kind: 'preview', rows: refuseDuplicates(rows), file })
    } catch (error) {
      if (!signal.aborted) reportFailure(error, file)
    }
  }

  /** Writes the valid rows of a file. Returns whether no row of the file remains. */
  const write = async (rows: ImportRow[], file: File): Promise<boolean> => {
    const rowsToWrite = rows.filter(isWritable)
    const entries = rowsToWrite.map(({ entry }) => entry)
    const expectedOutcomes = rowsToWrite.map(({ outcome }) => outcome)
    const hasNoErrors = !rows.some(isInvalid)
    const isAllOrNothing = importer.isAtomic && hasNoErrors
    const onProgress = reportProgress('Importing', true)
    onProgress(isAllOrNothing ? undefined : 0, rowsToWrite.length)
    try {
      const outcomes = await importer.write(entries, expectedOutcomes, { allOrNothing: isAllOrNothing, onProgress })
      const invalidRows = rowsToWrite.flatMap(({ entry }, index) =>
        outcomes[index]?.fate === 'wrong' ? [{ entry, outcome: outcomes[index] }] : [],
      )
      const isNothingWritten = isAllOrNothing && invalidRows.length > 0
      const writtenCount = isNothingWritten ? 0 : rowsToWrite.length - invalidRows.length
      if (writtenCount > 0) toast.ok(messages.import.imported(writtenCount))
      await refreshAfterChange(cache, 'phone_number')
      const remainingRows = [...rows.filter(isInvalid), ...invalidRows]
      setImportStep({
        kind: 'preview',
        rows: isNothingWritten ? replaceUpdatedRows(rows, invalidRows) : remainingRows,
        file,
      })
      return remainingRows.length === 0
    } catch (error) {
      // some rows may be written, so the preview is outdated
      void refreshAfterChange(cache, 'phone_number')
      reportFailure(error, file)
      return false
    }
  }

  return { importStep, checkFile, write, isAtomic: importer.isAtomic }
}

/** Returns the rows with the updated ones in place of the rows of the same lines. */
const replaceUpdatedRows = (rows: ImportRow[], updatedRows: ImportRow[]): ImportRow[] => {
  const rowsByLine = new Map(updatedRows.map((row) => [row.entry.lineNumber, row]))
  return rows.map((row) => rowsByLine.get(row.entry.lineNumber) ?? row)
}

/** Counts the rows by outcome. */
export const countOutcomes = (rows: readonly ImportRow[]) =>
  rows.reduce<Partial<Record<ImportOutcome['fate'], number>>>(
    (totals, { outcome: { fate } }) => ({ ...totals, [fate]: (totals[fate] ?? 0) + 1 }),
    {},
  )
