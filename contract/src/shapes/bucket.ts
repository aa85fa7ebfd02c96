import * as z from 'zod'
import { awsCredentialTypes } from '../calls/bucket'
import { findServiceKeyError } from '../cloud/service-key'
import { choice, text } from '../kit/fields'
import { messages } from '../messages/bucket'

const nullishText = (max: number) => text(max).nullish()

const isEmptyOrHttpUrl = (value: string) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value))

const tag = z.strictObject({
  Key: text(128).min(1, messages.incompleteTag),
  Value: text(256).min(1, messages.incompleteTag),
})

const tagListSchema = z
  .array(tag)
  .max(50)
  .superRefine((tags, context) => {
    const duplicateIndex = tags.findIndex(
      ({ Key }, index) => tags.findIndex((otherTag) => otherTag.Key === Key) < index,
    )
    if (duplicateIndex >= 0)
      context.addIssue({ code: 'custom', path: [duplicateIndex, 'Key'], message: messages.duplicateTag })
  })

/**
 * A bucket credential in a request. The vendor's required fields are checked together with the stored secrets, because
 * the request may contain masked ones. Fields of other vendors are allowed and dropped: clients send all their fields.
 */
export const bucketCredentialSchema = z.looseObject({
  vendor: z.string().optional(),
  name: nullishText(255),
  region: nullishText(64),
  endpoint: text(1024).trim().refine(isEmptyOrHttpUrl, messages.invalidEndpoint).nullish(),
  credential_type: choice(awsCredentialTypes).nullish(),
  access_key_id: nullishText(255),
  secret_access_key: nullishText(1024),
  role_arn: nullishText(2048),
  service_key: text(6000)
    .superRefine((value, context) => {
      const message = value === '' ? undefined : findServiceKeyError(value)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .nullish(),
  connection_string: nullishText(3000),
  tags: tagListSchema.nullish(),
})

/** The result of a credential test. */
export const bucketTestSchema = z.object({ status: z.enum(['ok', 'failed']), reason: z.string().optional() })

export type BucketDraft = z.input<typeof bucketCredentialSchema>
export type BucketTest = z.output<typeof bucketTestSchema>
