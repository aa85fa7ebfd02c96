import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome } from '@trunkline/contract/shapes/phone-number'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useLeaveGuard } from '../../kit/form/leave-guard'
import { paths } from '../../lib/paths'
import { downloadFile } from '../../lib/download-file'
import { Button, ButtonLink } from '../../ui/button'
import { DataTable } from '../../ui/table/data-table'
import type { Column } from '../../ui/table/table-props'
import { FileInput } from '../../ui/form/file-input'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { Progress } from '../../ui/feedback/progress'
import { Muted } from '../../ui/muted'
import { Status, type StatusKind } from '../../ui/status'
import { formatCount } from '../../ui/format-count'
import css from './import.module.css'
import type { ImportRow } from './import-file'
import { countOutcomes, isInvalid, useImport } from './use-import'

const statusKinds: Record<ImportOutcome['fate'], StatusKind> = { add: 'ok', change: 'warn', same: 'off', wrong: 'bad' }

const renderTextOrNone = (text: string | undefined) => (text ? text : <Muted isEmptyValue>None</Muted>)

const columns: Column<ImportRow>[] = [
  { id: 'number', head: 'Number', width: 170, mono: true, cell: ({ entry }) => entry.number || <Muted>None</Muted> },
  { id: 'line', head: 'Line', width: 72, align: 'end', cell: ({ entry }) => entry.lineNumber.toLocaleString('en-US') },
  { id: 'carrier', head: 'Carrier', cell: ({ entry }) => renderTextOrNone(entry.carrier) },
  { id: 'account', head: 'Account', cell: ({ entry }) => renderTextOrNone(entry.account) },
  { id: 'application', head: 'Application', cell: ({ entry }) => renderTextOrNone(entry.application) },
  {
    id: 'fate',
    head: 'Result',
    width: '34%',
    cell: ({ outcome }) => (
      <Status kind={statusKinds[outcome.fate]}>{outcome.msg ?? messages.import.outcomes[outcome.fate]}</Status>
    ),
  },
]

const joinCounts = (...parts: [count: number, label: string][]) =>
  parts.flatMap(([count, label]) => (count > 0 ? [`${formatCount(count)} ${label}`] : [])).join(' · ')

/** Returns the notes to show before the import. */
const listPreviewNotes = (rowsToWrite: number, invalidCount: number, isAtomic: boolean): string[] => [
  ...(invalidCount > 0 ? [messages.import.invalidRows] : []),
  ...(invalidCount === 0 && rowsToWrite === 0 ? [messages.import.nothingToImport] : []),
  ...(rowsToWrite > 0 && !isAtomic ? [messages.import.notAtomic] : []),
]

interface PreviewProps {
  rows: ImportRow[]
  isAtomic: boolean
  onWrite: () => void
}

/** Shows the outcome of each row, and a button to import them. */
const Preview = ({ rows, isAtomic, onWrite }: PreviewProps) => {
  const [showsErrorsOnly, setShowsErrorsOnly] = useState(false)
  const { add = 0, change = 0, same = 0, wrong = 0 } = countOutcomes(rows)
  const rowsToWrite = add + change
  return (
    <>
      <div className={css.toolbar}>
        <p role="status" className={css.counts}>
          {joinCounts([add, 'to add'], [change, 'to update'], [same, 'unchanged'], [wrong, 'with errors'])}
        </p>
        {wrong > 0 ? (
          <Button
            variant="borderless"
            size="sm"
            aria-pressed={showsErrorsOnly}
            onClick={() => setShowsErrorsOnly(!showsErrorsOnly)}
          >
            Show errors only
          </Button>
        ) : null}
        <span className={css.end}>
          {rowsToWrite > 0 ? (
            <Button variant="primary" onClick={onWrite}>
              {`Import ${formatCount(rowsToWrite)} ${wrong > 0 ? 'valid ' : ''}${rowsToWrite === 1 ? 'row' : 'rows'}`}
            </Button>
          ) : null}
        </span>
      </div>
      {listPreviewNotes(rowsToWrite, wrong, isAtomic).map((note) => (
        <p key={note} className={css.note}>
          {note}
        </p>
      ))}
      <DataTable
        label="Rows of the file"
        columns={columns}
        rows={showsErrorsOnly ? rows.filter(isInvalid) : rows}
        rowKey={({ entry }) => String(entry.lineNumber)}
        rowName={({ entry }) => entry.number}
      />
    </>
  )
}

const sampleLines = [
  'number,carrier,account,application',
  '+16175550100,My carrier,My account,My application',
  '+442079460100,My carrier,My account,',
]

const downloadSample = () =>
  downloadFile(new Blob([sampleLines.join('\n')], { type: 'text/csv' }), 'phone-numbers-sample.csv')

/** Imports phone numbers from a CSV file: select, preview, import. */
export const ImportNumbers = () => {
  const { importStep, checkFile, write, isAtomic } = useImport()
  const navigate = useNavigate()
  const isWorking = importStep.kind === 'progress'
  const guard = useLeaveGuard(isWorking && importStep.isWriting, messages.import.leaveGuard)
  const failedFile = importStep.kind === 'file' ? importStep.failedFile : undefined
  const importRows = async (rows: ImportRow[], file: File) => {
    if (await write(rows, file)) {
      guard.allowLeaving()
      await navigate({ to: paths.phoneNumbers.list })
    }
  }
  return (
    <ScreenLayout
      title="Import phone numbers"
      actions={
        <>
          <Button icon={Download} onClick={downloadSample}>
            Download a sample
          </Button>
          <ButtonLink href={paths.phoneNumbers.list}>Back to phone numbers</ButtonLink>
        </>
      }
    >
      <div className={css.file}>
        <FileInput
          label="CSV file"
          accept=".csv,text/csv,text/plain"
          disabled={isWorking}
          help={messages.import.help}
          error={importStep.kind === 'file' ? importStep.error : undefined}
          onChoose={(file) => void checkFile(file)}
        />
        {failedFile ? (
          <div>
            <Button onClick={() => void checkFile(failedFile)}>Try again</Button>
          </div>
        ) : null}
        {isWorking ? <Progress label={importStep.label} done={importStep.doneCount} total={importStep.total} /> : null}
      </div>
      {importStep.kind === 'preview' ? (
        <Preview
          rows={importStep.rows}
          isAtomic={isAtomic}
          onWrite={() => void importRows(importStep.rows, importStep.file)}
        />
      ) : null}
      {guard.dialog}
    </ScreenLayout>
  )
}
