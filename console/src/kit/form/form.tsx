import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FieldValues } from 'react-hook-form'
import { formRecordKey, recordKey, recordTitleKey } from '../../lib/query-keys'
import { FieldSkeleton } from '../../ui/feedback/skeleton'
import { Page } from '../../ui/shell/page'
import { useCopySourceSid } from '../record/copy-record'
import { fetchRecord, type AnyResource } from '../record/record'
import { useCanEdit } from '../record/use-can-edit'
import type { ResourceFormProps } from './form-props'
import { getFormHeading } from './form-title'
import { RecordLoadError } from './load-errors'
import { RecordForm } from './record-form'

export type { FieldErrors } from './resolver'

/** Reads the record of a form, and stores it for the breadcrumbs. */
const useFormRecord = <Row, Loaded extends Row>(
  resource: AnyResource<Row>,
  sid: string | undefined,
  read: ((sid: string, signal: AbortSignal) => Promise<Loaded>) | undefined,
) => {
  const cache = useQueryClient()
  return useQuery<Loaded>({
    queryKey: formRecordKey(resource.kind, sid),
    queryFn: async ({ signal }) => {
      const record = await (read?.(sid ?? '', signal) ?? (fetchRecord(resource, sid ?? '', signal) as Promise<Loaded>))
      cache.setQueryData(recordKey(resource.kind, sid), record)
      cache.setQueryData(recordTitleKey(resource.kind, sid), resource.title(record))
      return record
    },
    enabled: sid !== undefined,
    // Fetches when the form opens, and not when the window gets the focus: the user may be editing.
    refetchOnWindowFocus: false,
    refetchOnMount: 'always',
  })
}

/** The form of a kind of record, for adding and editing. Loads the record, then shows the form. */
export const ResourceForm = <Row, Values extends FieldValues, Loaded extends Row = Row>(
  props: ResourceFormProps<Row, Loaded, Values>,
) => {
  const { resource, sid, read, copy } = props
  const copySourceSid = useCopySourceSid()
  const sourceSid = sid ?? (copy ? copySourceSid : undefined)
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useFormRecord<Row, Loaded>(
    resource,
    sourceSid,
    read,
  )
  const heading = getFormHeading(props, !useCanEdit(resource.kind, data))
  if (sourceSid === undefined) return <RecordForm key="new" {...props} record={undefined} />
  if (error && data === undefined)
    return (
      <RecordLoadError
        title={heading}
        resource={resource}
        listPath={props.cancelPath}
        error={error}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  if (data === undefined || !isFetchedAfterMount)
    return (
      <Page title={heading}>
        <FieldSkeleton />
      </Page>
    )
  if (sid === undefined) return <RecordForm key={sourceSid} {...props} record={undefined} copiedRecord={copy?.(data)} />
  return <RecordForm key={sid} {...props} record={data} />
}
