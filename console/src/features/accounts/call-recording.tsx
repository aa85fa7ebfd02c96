import { recordFormats } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/form'
import { useFormContext } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { FlagField } from '../../fields/flag-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Muted } from '../../ui/muted'
import { Section } from '../../ui/form/section'
import { BucketFields } from './bucket-fields'
import { BucketTags } from './bucket-tags'
import { BucketTest } from './bucket-test'
import { getVendorFieldValues, readStoredBucket } from './bucket-values'
import { storageVendors } from './storage-vendors'
import type { AccountValues, AccountWithLimits } from './values'

/** Selects the bucket for an account's recordings, and whether all calls are recorded. */
export const CallRecording = ({ record, readOnly }: { record: AccountWithLimits; readOnly: boolean }) => {
  const { watch, setValue } = useFormContext<AccountValues>()
  const storedBucket = readStoredBucket(record)
  const [vendor, recordsAllCalls] = watch(['bucket_credential.vendor', 'record_all_calls'])
  const changeVendor = (nextVendor: string | null) => {
    for (const [field, value] of Object.entries(getVendorFieldValues(nextVendor, storedBucket)))
      setValue(`bucket_credential.${field as 'name'}`, value, { shouldDirty: true })
    // recordings need a bucket
    if (nextVendor === null) setValue('record_all_calls', 0, { shouldDirty: true })
  }
  if (record.unreadable?.includes('bucket_credential'))
    return (
      <Section title="Call recording">
        <Muted>{messages.undecryptable('bucket credential')}</Muted>
      </Section>
    )
  return (
    <Section title="Call recording" help="Recordings are saved to a storage bucket of this account.">
      <Grid>
        <Cell>
          <SelectField
            name="bucket_credential.vendor"
            label="Storage vendor"
            noneLabel="None"
            options={storageVendors}
            onSelect={changeVendor}
          />
        </Cell>
        {vendor === null ? null : (
          <Cell>
            <SelectField
              name="record_format"
              label="Recording format"
              options={recordFormats.map((format) => ({ value: format, label: format }))}
            />
          </Cell>
        )}
        <BucketFields key={vendor} storedBucket={storedBucket} account_sid={record.account_sid} />
        {vendor === null ? null : (
          <>
            <Cell span={12}>
              <BucketTags />
            </Cell>
            {readOnly ? null : (
              <Cell span={12}>
                <BucketTest account_sid={record.account_sid} storedBucket={storedBucket} />
              </Cell>
            )}
          </>
        )}
        {vendor !== null || recordsAllCalls ? (
          <Cell span={12}>
            <FlagField name="record_all_calls" label="Record all calls" help="If off, each application decides." />
          </Cell>
        ) : null}
      </Grid>
    </Section>
  )
}
