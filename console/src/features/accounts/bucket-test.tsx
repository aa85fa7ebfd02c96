import { useMutation } from '@tanstack/react-query'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { bucketCredentialTest } from '@trunkline/contract/resources/account'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { Muted } from '../../ui/muted'
import { toast } from '../../ui/feedback/toast'
import css from './bucket-test.module.css'
import { toBucketBody, toBucketValues, isTestable, reusesSecret } from './bucket-values'
import type { AccountValues } from './values'

export interface BucketTestProps {
  account_sid: string
  storedBucket: BucketCredential | null
}

/** Tests the bucket with the values in the form. Hides the result as soon as a value changes. */
export const BucketTest = ({ account_sid, storedBucket }: BucketTestProps) => {
  const values = useFormContext<AccountValues>().watch('bucket_credential')
  const body = toBucketBody(values, storedBucket)
  const bodyJson = JSON.stringify(body)
  const [testResult, setTestResult] = useState<{ testedJson: string; reason?: string }>()
  const testMutation = useMutation({
    mutationFn: () => request(bucketCredentialTest, { params: { account_sid }, body }),
    onSuccess: ({ status, reason }) => {
      if (status === 'ok') toast.ok(messages.valid)
      setTestResult({
        testedJson: bodyJson,
        ...(status === 'ok' ? {} : { reason: reason ?? messages.failure.unexpectedResponse }),
      })
    },
    onError: (error) => setTestResult({ testedJson: bodyJson, reason: getErrorMessage(error) }),
  })
  const canTest = isTestable(values, body)
  const currentResult = testResult?.testedJson === bodyJson ? testResult : undefined
  // a server that receives its masked secret back tests the stored bucket instead of these values
  const testsStoredBucket =
    reusesSecret(values, body) && bodyJson !== JSON.stringify(toBucketBody(toBucketValues(storedBucket), storedBucket))
  return (
    <div className={css.test}>
      <Button
        icon={FlaskConical}
        pending={testMutation.isPending}
        disabled={!canTest}
        onClick={() => testMutation.mutate()}
      >
        Test
      </Button>
      <div className={css.result} role="status">
        {canTest ? null : <Muted>{messages.fillRequiredFields}</Muted>}
        {currentResult?.reason ? <FieldMessage>{currentResult.reason}</FieldMessage> : null}
        {currentResult && testsStoredBucket ? <Muted>{messages.savedCredentialTested}</Muted> : null}
      </div>
    </div>
  )
}
