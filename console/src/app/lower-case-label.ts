const startsWithProductName = /^(Microsoft|SIP)/

/** Lower-cases the first letter of a label for use inside a sentence, except of product names. */
export const toLowerCaseLabel = (label: string): string =>
  startsWithProductName.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
