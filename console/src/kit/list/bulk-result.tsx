import { CircleAlert, CircleCheck, Undo2, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '../../ui/button'
import { ErrorText } from '../../ui/feedback/error-text'
import css from './bulk-bar.module.css'
import type { AnyResource } from '../record/record'
import type { Bulk } from './use-bulk'

interface BulkResultBarProps<Row> {
  resource: Pick<AnyResource<Row>, 'noun' | 'title' | 'key'>
  bulk: Bulk<Row>
}

const nameCount = (count: number, { singular, plural }: AnyResource<never>['noun']) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`

/** The result of the last operation: what was changed, and for each other record the reason. Stays until dismissed. */
export const BulkResultBar = <Row,>({ resource, bulk }: BulkResultBarProps<Row>) => {
  const { result } = bulk
  const { doneRows = [], failures = [], operation } = result ?? {}
  const done = useRef<HTMLDivElement>(null)
  const failed = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // the button that was pressed is gone, and with it the focus
    if (result && document.activeElement === document.body)
      (done.current?.querySelector('button') ?? failed.current?.querySelector('button'))?.focus()
  }, [result])
  return (
    <>
      {/* both live regions exist before the result, as screen readers require */}
      <div ref={done} role="status" className={css.result} data-empty={doneRows.length === 0 || undefined}>
        {result && operation && doneRows.length > 0 ? (
          <>
            <CircleCheck size={16} strokeWidth={1.75} aria-hidden="true" />
            <span
              className={css.resultText}
            >{`${nameCount(doneRows.length, resource.noun)} ${operation.participle}`}</span>
            {operation.undo ? (
              <Button size="sm" icon={Undo2} onClick={() => void bulk.undo(result)}>
                Undo
              </Button>
            ) : null}
            <IconButton icon={X} iconSize={14} size="sm" label="Dismiss result" onClick={bulk.dismiss} />
          </>
        ) : null}
      </div>
      <div ref={failed} role="alert" className={css.result} data-empty={failures.length === 0 || undefined}>
        {failures.length > 0 ? (
          <>
            <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
            <div className={css.resultText}>
              {`${nameCount(failures.length, resource.noun)} could not be ${operation?.participle}:`}
              <ul className={css.failures} aria-label="Failures">
                {failures.map(({ row, message }, index) => (
                  // rows from an old server may repeat a SID
                  <li key={index}>
                    <b>{resource.title(row)}</b> <ErrorText>{message}</ErrorText>
                  </li>
                ))}
              </ul>
            </div>
            <IconButton icon={X} iconSize={14} size="sm" label="Dismiss failures" onClick={bulk.dismiss} />
          </>
        ) : null}
      </div>
    </>
  )
}
