import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { formRecordKey, recordKey } from '../../lib/query-keys'
import { FieldSkeleton } from '../../ui/feedback/skeleton'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { useCopySourceSid } from '../record/copy-record'
import { storeDisplayTitle } from '../record/display-title'
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
  sid: string,
  read: ((sid: string, signal: AbortSignal) => Promise<Loaded>) | undefined,
) => {
  const cache = useQueryClient()
  return useQuery<Loaded>({
    queryKey: formRecordKey(resource.kind, sid),
    queryFn: async ({ signal }) => {
      const record = await (read?.(sid, signal) ?? (fetchRecord(resource, sid, signal) as Promise<Loaded>))
      cache.setQueryData(recordKey(resource.kind, sid), record)
      storeDisplayTitle(cache, resource, sid, record)
      return record
    },
    // Fetches when the form opens, and not when the window gets the focus: the user may be editing.
    refetchOnWindowFocus: false,
    refetchOnMount: 'always',
  })
}

/** Loads a record, then shows the form that edits or copies it. */
const LoadedRecordForm = <Row, Values extends FieldValues, Loaded extends Row = Row>({
  sourceSid,
  ...props
}: ResourceFormProps<Row, Loaded, Values> & { sourceSid: string }) => {
  const { resource, sid, read, copy } = props
  const { data, dataUpdatedAt, error, refetch, isFetching } = useFormRecord<Row, Loaded>(resource, sourceSid, read)
  const [openedAt] = useState(Date.now)
  const heading = getFormHeading(props, !useCanEdit(resource.kind, data))
  // A record that was cached before may be outdated or deleted. Later errors leave the open form as it is.
  if (data !== undefined && dataUpdatedAt >= openedAt)
    return sid === undefined ? (
      <RecordForm {...props} record={undefined} copiedRecord={copy?.(data)} />
    ) : (
      <RecordForm {...props} record={data} />
    )
  if (error && !isFetching)
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
  return (
    <ScreenLayout title={heading}>
      <FieldSkeleton />
    </ScreenLayout>
  )
}

/** The form of a kind of record, for adding and editing. */
export const ResourceForm = <Row, Values extends FieldValues, Loaded extends Row = Row>(
  props: ResourceFormProps<Row, Loaded, Values>,
) => {
  const copySourceSid = useCopySourceSid()
  const sourceSid = props.sid ?? (props.copy ? copySourceSid : undefined)
  return sourceSid === undefined ? (
    <RecordForm key="new" {...props} record={undefined} />
  ) : (
    <LoadedRecordForm key={sourceSid} sourceSid={sourceSid} {...props} />
  )
}
