import type { BucketTag } from '@trunkline/contract/calls/bucket'

/** The maximum size of metadata, including names, that every vendor accepts. */
const maxMetadataBytes = 2_000

/** Converts a name to one that every vendor accepts. Azure requires C# identifiers. */
const toValidName = (name: string) => name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_')

/** Converts a value to one that can be sent in a header. */
const toHeaderValue = (value: string) => (/^[\x20-\x7e]*$/.test(value) ? value.trim() : encodeURIComponent(value))

/**
 * Builds the metadata of a recording in a bucket: the metadata that its writer sent, and the tags of the bucket's owner. Fields
 * beyond the maximum size are left out.
 */
export const buildObjectMetadata = (
  callMetadata: Record<string, string>,
  tags: readonly BucketTag[],
): Record<string, string> => {
  const metadata: Record<string, string> = {}
  let size = 0
  // The account comes first, because it must not be left out.
  const { accountSid = '', ...otherFields } = callMetadata
  const fields = [
    ['accountSid', accountSid],
    ...Object.entries(otherFields),
    ...tags.map(({ Key, Value }) => [Key, Value]),
  ]
  for (const [name = '', value = ''] of fields) {
    const [key, headerValue] = [toValidName(name), toHeaderValue(value)]
    size += key.length + headerValue.length
    if (key === '' || headerValue === '' || Object.hasOwn(metadata, key) || size > maxMetadataBytes) continue
    metadata[key] = headerValue
  }
  return metadata
}
