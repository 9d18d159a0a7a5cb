"""The precisions in which a model of the transformers library can be asked."""

FLOAT32 = "float32"
BFLOAT16 = "bfloat16"
PRECISIONS = (FLOAT32, BFLOAT16)
