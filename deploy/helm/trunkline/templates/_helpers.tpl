{{- define "trunkline.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "trunkline.selector" -}}
app.kubernetes.io/name: trunkline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "trunkline.labels" -}}
{{ include "trunkline.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "trunkline.secret" -}}
{{- default (include "trunkline.name" .) .Values.existingSecret -}}
{{- end -}}

{{/* A setting as text: Kubernetes refuses numbers and booleans. Helm reads whole numbers of a file as floating-point ones. */}}
{{- define "trunkline.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}
{{- int64 . | toString | quote -}}
{{- else -}}
{{- toString . | quote -}}
{{- end -}}
{{- end -}}

{{/* Several replicas on embedded databases would each have other data. */}}
{{- define "trunkline.check" -}}
{{- if and (or .Values.autoscaling.enabled (gt (int .Values.replicas) 1)) (not .Values.existingSecret) -}}
{{- range $name := list "DATABASE_URL" "JWT_SECRET" "ENCRYPTION_SECRET" -}}
{{- if not (index $.Values.secrets $name) -}}
{{- fail (printf "Several replicas need secrets.%s, or an existingSecret with it." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
