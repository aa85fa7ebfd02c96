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
import { existingNumbers, readImportRecords } from './import-records'
import { refersByName, parseFile, refuseDuplicates, resolveLines, type Row } from './import-file'

/** The current step of the import. */
export type ImportStep =
  | { step: 'file'; error?: string }
  | { step: 'work'; label: string; doneCount: number | undefined; total: number }
  | { step: 'preview'; rows: Row[] }

const isWritable = ({ outcome }: Row) => outcome.fate === 'add' || outcome.fate === 'change'
export const isInvalid = ({ outcome }: Row) => outcome.fate === 'wrong'

const noRecords = { carriers: [], accounts: [], applications: [] }

/** Reads and checks a file, then writes its rows. */
export const useImport = () => {
  const actor = useActor()
  const provider = useProviderSid()
  const cache = useQueryClient()
  const [importStep, setImportStep] = useState<ImportStep>({ step: 'file' })
  const [importer, setImporter] = useState(() => bulkImporter)
  const abortController = useRef<AbortController>(undefined)
  useEffect(() => () => abortController.current?.abort(), [])

  const reportProgress = (label: string) => (doneCount: number | undefined, total: number) =>
    setImportStep({ step: 'work', label, doneCount, total })
  const reportFailure = (error: unknown, previousStep: ImportStep) => {
    setImportStep(previousStep)
    if (!(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
  }

  const checkFile = async (file: File) => {
    abortController.current?.abort()
    const { signal } = (abortController.current = new AbortController())
    const result = parseFile(await file.text())
    if ('error' in result) return setImportStep({ step: 'file', error: result.error })
    const capabilities = await cache.ensureQueryData(capabilitiesQuery)
    const nextImporter = capabilities.import ? bulkImporter : createRowImporter(existingNumbers(actor, provider))
    setImporter(nextImporter)
    const onProgress = reportProgress('Checking the rows')
    onProgress(0, result.lines.length)
    try {
      const catalogue = refersByName(result.lines) ? await readImportRecords(actor, provider, signal) : noRecords
      const ownAccountSid = actor.scope === 'account' ? actor.account_sid : undefined
      const entries = resolveLines(result.lines, catalogue, ownAccountSid)
      const validEntries = entries.filter(({ error }) => !error)
      const outcomes = validEntries.length > 0 ? await nextImporter.check(validEntries, onProgress, signal) : []
      let nextIndex = 0
      const rows = entries.map((entry) => ({ entry, outcome: entry.error ?? outcomes[nextIndex++]! }))
      setImportStep({ step: 'preview', rows: refuseDuplicates(rows) })
    } catch (error) {
      if (!signal.aborted) reportFailure(error, { step: 'file' })
    }
  }

  /** Writes all rows or, if some are invalid, the others. Returns whether everything was written. */
  const write = async (rows: Row[]): Promise<boolean> => {
    const rowsToWrite = rows.filter(isWritable)
    const entries = rowsToWrite.map(({ entry }) => entry)
    const expectedOutcomes = rowsToWrite.map(({ outcome }) => outcome)
    const hasNoErrors = !rows.some(isInvalid)
    const onProgress = reportProgress('Importing')
    onProgress(importer.isAtomic && hasNoErrors ? undefined : 0, rowsToWrite.length)
    try {
      const outcomes = await importer.write(entries, expectedOutcomes, hasNoErrors, onProgress)
      const invalidRows = rowsToWrite.flatMap(({ entry }, index) =>
        outcomes[index]?.fate === 'wrong' ? [{ entry, outcome: outcomes[index] }] : [],
      )
      const isAtomic = importer.isAtomic && hasNoErrors
      const writtenCount = isAtomic && invalidRows.length > 0 ? 0 : rowsToWrite.length - invalidRows.length
      if (writtenCount > 0) toast.ok(messages.import.imported(writtenCount))
      await refreshAfterChange(cache, 'phone_number')
      const remainingRows = [...rows.filter(isInvalid), ...invalidRows]
      setImportStep({
        step: 'preview',
        rows: isAtomic && invalidRows.length > 0 ? replaceRows(rows, invalidRows) : remainingRows,
      })
      return remainingRows.length === 0
    } catch (error) {
      reportFailure(error, { step: 'preview', rows })
      return false
    }
  }

  return { importStep, checkFile, write, whole: importer.isAtomic }
}

/** Returns the rows with updated outcomes. */
const replaceRows = (rows: Row[], updatedRows: Row[]): Row[] => {
  const rowsByLine = new Map(updatedRows.map((row) => [row.entry.line, row]))
  return rows.map((row) => rowsByLine.get(row.entry.line) ?? row)
}

/** Counts the rows by outcome. */
export const countOutcomes = (rows: readonly Row[]) =>
  rows.reduce<Partial<Record<ImportOutcome['fate'], number>>>(
    (totals, { outcome: { fate } }) => ({ ...totals, [fate]: (totals[fate] ?? 0) + 1 }),
    {},
  )
