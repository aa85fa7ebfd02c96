import { useMutation } from '@tanstack/react-query'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { bucketCredentialTest } from '@trunkline/contract/resources/account'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { request } from '../../lib/client'
import { sayProblem } from '../../lib/problem'
import { Button } from '../../ui/button'
import { FieldError } from '../../ui/form/field-error'
import { Quiet } from '../../ui/muted'
import { toast } from '../../ui/feedback/toast'
import css from './bucket-test.module.css'
import { bucketBody, bucketValues, isTestable, reusesSecret } from './bucket-values'
import type { AccountValues } from './values'

export interface BucketTestProps {
  account_sid: string
  stored: BucketCredential | null
}

/** Tests the bucket with the values in the form. Hides the result as soon as a value changes. */
export const BucketTest = ({ account_sid, stored }: BucketTestProps) => {
  const values = useFormContext<AccountValues>().watch('bucket_credential')
  const body = bucketBody(values, stored)
  const now = JSON.stringify(body)
  const [found, setFound] = useState<{ of: string; reason?: string }>()
  const test = useMutation({
    mutationFn: () => request(bucketCredentialTest, { params: { account_sid }, body }),
    onSuccess: ({ status, reason }) => {
      if (status === 'ok') toast.ok(messages.valid)
      setFound({ of: now, ...(status === 'ok' ? {} : { reason: reason ?? messages.fault.unknown }) })
    },
    onError: (error) => setFound({ of: now, reason: sayProblem(error) }),
  })
  const testable = isTestable(values, body)
  const known = found?.of === now ? found : undefined
  // a server that receives its masked secret back tests the stored bucket instead of these values
  const asSaved = reusesSecret(values, body) && now !== JSON.stringify(bucketBody(bucketValues(stored), stored))
  return (
    <div className={css.test}>
      <Button icon={FlaskConical} pending={test.isPending} disabled={!testable} onClick={() => test.mutate()}>
        Test
      </Button>
      <div className={css.found} role="status">
        {testable ? null : <Quiet>{messages.testNeeds}</Quiet>}
        {known?.reason ? <FieldError>{known.reason}</FieldError> : null}
        {known && asSaved ? <Quiet>{messages.testedAsSaved}</Quiet> : null}
      </div>
    </div>
  )
}
