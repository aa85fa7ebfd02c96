import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { ImportOutcome } from '@trunkline/contract/shapes/phone-number'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useLeaveGuard } from '../../kit/form/leave-guard'
import { paths } from '../../lib/paths'
import { saveFile } from '../../lib/save-file'
import { Button, ButtonLink } from '../../ui/button'
import { DataTable, type Column } from '../../ui/table/data-table'
import { FileInput } from '../../ui/form/file-input'
import { Page } from '../../ui/shell/page'
import { Progress } from '../../ui/feedback/progress'
import { Muted } from '../../ui/muted'
import { Status, type StatusKind } from '../../ui/status'
import css from './import.module.css'
import type { Row } from './import-file'
import { counts, isWrong, useImport } from './use-import'

const kinds: Record<ImportOutcome['fate'], StatusKind> = { add: 'ok', change: 'warn', same: 'off', wrong: 'bad' }

const word = (text: string | undefined) => (text ? text : <Muted isEntireValue>None</Muted>)

const columns: Column<Row>[] = [
  { id: 'number', head: 'Number', width: 170, mono: true, cell: ({ entry }) => entry.number || <Muted>None</Muted> },
  { id: 'line', head: 'Line', width: 72, align: 'end', cell: ({ entry }) => entry.line.toLocaleString('en-US') },
  { id: 'carrier', head: 'Carrier', cell: ({ entry }) => word(entry.carrier) },
  { id: 'account', head: 'Account', cell: ({ entry }) => word(entry.account) },
  { id: 'application', head: 'Application', cell: ({ entry }) => word(entry.application) },
  {
    id: 'fate',
    head: 'Result',
    width: '34%',
    cell: ({ fate }) => <Status kind={kinds[fate.fate]}>{fate.msg ?? messages.import.outcomes[fate.fate]}</Status>,
  },
]

const say = (count: number) => count.toLocaleString('en-US')

const sum = (...parts: [count: number, what: string][]) =>
  parts.flatMap(([count, what]) => (count > 0 ? [`${say(count)} ${what}`] : [])).join(' · ')

/** Notes to show before the import. */
const notesOf = (due: number, wrong: number, whole: boolean): string[] => [
  ...(wrong > 0 ? [messages.import.invalidRows] : []),
  ...(wrong === 0 && due === 0 ? [messages.import.nothingToImport] : []),
  ...(due > 0 && !whole ? [messages.import.notAtomic] : []),
]

interface PreviewProps {
  rows: Row[]
  whole: boolean
  onWrite: () => void
}

/** Shows the outcome of each row, and a button to import them. */
const Preview = ({ rows, whole, onWrite }: PreviewProps) => {
  const [only, setOnly] = useState(false)
  const { add = 0, change = 0, same = 0, wrong = 0 } = counts(rows)
  const due = add + change
  return (
    <>
      <div className={css.bar}>
        <p role="status" className={css.sum}>
          {sum([add, 'new'], [change, 'updated'], [same, 'unchanged'], [wrong, 'with errors'])}
        </p>
        {wrong > 0 ? (
          <Button variant="borderless" size="sm" aria-pressed={only} onClick={() => setOnly(!only)}>
            Show errors only
          </Button>
        ) : null}
        <span className={css.end}>
          {due > 0 ? (
            <Button variant="primary" onClick={onWrite}>
              {`Import ${say(due)} ${wrong > 0 ? 'valid ' : ''}${due === 1 ? 'row' : 'rows'}`}
            </Button>
          ) : null}
        </span>
      </div>
      {notesOf(due, wrong, whole).map((note) => (
        <p key={note} className={css.note}>
          {note}
        </p>
      ))}
      <DataTable
        label="Rows of the file"
        columns={columns}
        rows={only ? rows.filter(isWrong) : rows}
        rowKey={({ entry }) => String(entry.line)}
        rowName={({ entry }) => entry.number}
      />
    </>
  )
}

const sample = [
  'number,carrier,account,application',
  '+16175550100,My carrier,My account,My application',
  '+442079460100,My carrier,My account,',
]

const downloadSample = () => saveFile(new Blob([sample.join('\n')], { type: 'text/csv' }), 'phone-numbers-sample.csv')

/** Imports phone numbers from a CSV file: select, preview, import. */
export const ImportNumbers = () => {
  const { stage, look, write, whole } = useImport()
  const navigate = useNavigate()
  const working = stage.at === 'work'
  const guard = useLeaveGuard(working)
  const run = async (rows: Row[]) => {
    if (await write(rows)) {
      guard.letGo()
      await navigate({ to: paths.phoneNumbers.list })
    }
  }
  return (
    <Page
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
          disabled={working}
          help={messages.import.help}
          error={stage.at === 'file' ? stage.why : undefined}
          onChoose={(file) => void look(file)}
        />
        {working ? <Progress label={stage.label} done={stage.done} total={stage.total} /> : null}
      </div>
      {stage.at === 'preview' ? <Preview rows={stage.rows} whole={whole} onWrite={() => void run(stage.rows)} /> : null}
      {guard.dialog}
    </Page>
  )
}
